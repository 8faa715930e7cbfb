# SPDX-License-Identifier: Apache-2.0
"""The Debian packages are installed, upgraded, removed and purged; and their own tests, from debian/tests, run."""
import contextlib
import grp
import json
import os
import pwd
import socket
import stat
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import iio_device
import packages
from bus import CallFailed, RemoteObject
from i2c_chip import I2CChip
from motion_client import ACCELEROMETER, PATH, MotionClient
from orientationd_case import BEGIN, STATE_DIRECTORY, OrientationdCase, announced_property
from poses import LANDSCAPE_LEFT, PORTRAIT
from systemd_service import systemctl
from waiting import wait_until

DAEMON_PACKAGE = next((file for file in packages.FILES if file.name.startswith("orientationd_")), None)
DEBIAN_TESTS = Path("/opt/vm-tests/debian-tests")
CLIENT = Path("/opt/vm-tests/client")
MOTION_SOCKET = "orientationd-motion.socket"
MOTION_HEADER = Path("/usr/include/orientationd-motion.h")
# The user and its group stay, see debian/orientationd.postrm. Beside each of these lies the one before, as file-.
ACCOUNTS = {f"/etc/{name}{end}" for name in ("passwd", "group", "shadow", "gshadow") for end in ("", "-")}


def journal_of(unit, start):
    """What systemd has said of a unit since a time, in whole seconds."""
    return subprocess.run(["journalctl", "--unit", unit, f"--since=@{start}"], check=True, capture_output=True, text=True,
                          timeout=packages.TIMEOUT).stdout


def listen_for_packets(tree):
    """The motion socket of 0.9, in the files of a package."""
    unit = next(tree.rglob(MOTION_SOCKET))
    text = unit.read_text()
    unit.write_text(text.replace("ListenStream=", "ListenSequentialPacket="))
    assert unit.read_text() != text, text


class PackageCase(OrientationdCase):
    """Each test finds the packages installed, and so does what comes after."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.install)

    def install(self):
        missing = [file for file in packages.FILES if packages.installed_version(file.name.split("_")[0]) is None]
        if missing:
            packages.dpkg("--install", *missing)

    def screen(self):
        return RemoteObject(self.device.service, self.device.path, "org.orientationd1.Screen")

    def plug_chip(self):
        chip = I2CChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        return chip, iio_device.wait_for(chip.iio_name)

    def expect_motion(self):
        """Of the socket, over a new connection."""
        with MotionClient() as client:
            client.start(ACCELEROMETER, 50)
            client.wait_for_samples(1, ACCELEROMETER)

    def check(self, name, **environment):
        """A test of debian/tests, as autopkgtest runs it."""
        done = subprocess.run([DEBIAN_TESTS / name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=110,
                              env=os.environ | environment)
        self.assertEqual(done.returncode, 0, done.stdout)


class InstalledPackages(PackageCase):
    def test_enable_and_start_the_service_and_give_it_the_sensors_that_are_there(self):
        packages.dpkg("--purge", "orientationd")
        # As on a machine that never had it: the user stays when the package is purged.
        subprocess.run(["userdel", "orientationd"], check=True, timeout=100)
        chip, iio = self.plug_chip()
        chip.hold(PORTRAIT)
        # udevd gets to see the rule before its group is there.
        packages.dpkg("--unpack", DAEMON_PACKAGE)
        subprocess.run(["udevadm", "trigger", "--settle", "--subsystem-match=iio"], check=True, timeout=100)
        packages.dpkg("--configure", "orientationd")
        self.assertEqual(self.service.show("UnitFileState"), "enabled")
        self.assertEqual(self.service.show("ActiveState"), "active")
        self.assertEqual(systemctl("is-enabled", MOTION_SOCKET).strip(), "enabled")
        self.assertEqual(systemctl("is-active", MOTION_SOCKET).strip(), "active")
        self.assertTrue(MOTION_HEADER.exists())
        node = Path("/dev", iio.path.name)
        group = grp.getgrnam("orientationd").gr_gid
        wait_until(lambda: node.stat().st_gid == group, what=f"{node} of group orientationd")
        self.assertEqual(stat.S_IMODE(node.stat().st_mode), 0o660)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        self.expect_motion()
        self.assertEqual(self.service.show("NRestarts"), "0")

    def test_start_the_service_with_the_first_call_at_the_latest(self):
        self.assertEqual(self.service.show("ActiveState"), "inactive")
        self.assertFalse(self.device.property("GeneratesDeviceOrientationNotifications"))
        self.assertEqual(self.service.show("ActiveState"), "active")

    def test_have_their_files_where_merged_folders_are(self):
        """/lib is a link to /usr/lib; dpkg does not know, and loses files that lie in both."""
        for file in filter(None, (*packages.FILES, packages.SENSOR_PROXY, packages.FOLLOWER)):
            listing = subprocess.run(["dpkg-deb", "--contents", file], check=True, capture_output=True, text=True,
                                     timeout=packages.TIMEOUT).stdout
            self.assertIn(" ./usr/", listing)
            self.assertNotIn(" ./lib/", listing)

    def test_hold_what_dpkg_knows_of_them(self):
        self.assertEqual(packages.problems(*packages.NAMES), [])


class UpgradedPackage(PackageCase):
    def test_keeps_the_lock_and_goes_on_for_its_clients(self):
        chip, _ = self.plug_chip()
        chip.hold(PORTRAIT)
        newer = packages.next_version(DAEMON_PACKAGE, self.enterContext(tempfile.TemporaryDirectory()))
        version = packages.installed_version("orientationd")
        with monitor() as said:
            wait_until(lambda: said == ["portrait"], 20, "portrait")
            self.screen().call("SetRotationLock", "b", True)
            process, position = self.service.process, self.signals.position
            program = self.enterContext(MotionClient())
            program.start(ACCELEROMETER, 50)
            program.wait_for_samples(1, ACCELEROMETER)
            start = int(time.time())
            self.assertNotIn("systemctl", packages.dpkg("--install", newer))
            self.assertNotIn("Failed", journal_of(MOTION_SOCKET, start))
            program.wait_for_end()
            self.expect_motion()
            self.assertEqual(packages.installed_version("orientationd"), f"{version}.1")
            self.assertNotIn(self.service.process, (0, process))
            active = self.expect_signal(announced_property("SensorStatus", "active"), position, "active sensor for the client")
            self.assertTrue(self.screen().property("RotationLocked"))
            self.screen().call("SetRotationLock", "b", False)
            # The monitor itself says that the daemon was away.
            wait_until(lambda: said == ["portrait", "unknown", "portrait"], 20, lambda: f"portrait again, not {said}")
            chip.hold(LANDSCAPE_LEFT)
            wait_until(lambda: said[3:] == ["landscapeLeft"], 20, lambda: f"the turn after the upgrade, not {said}")
        left = int(self.service.show("ActiveExitTimestampMonotonic")) / 1e6 + time.time() - time.monotonic()
        print(f"      upgrade: {active.received - left:.1f} s from the end of the old daemon to a sensor that is active "
              "for the same client", flush=True)

    def test_opens_the_motion_socket_as_a_stream_after_a_version_whose_socket_was_for_packets(self):
        chip, _ = self.plug_chip()
        chip.hold(PORTRAIT)
        older = packages.other_version(DAEMON_PACKAGE, self.enterContext(tempfile.TemporaryDirectory()), lambda _: "0.9-1",
                                       listen_for_packets)
        packages.dpkg("--install", "--force-downgrade", older)
        self.service.stop()
        systemctl("restart", MOTION_SOCKET)
        # Whatever the daemon does with it: what counts is that the new socket takes its place.
        reader = self.enterContext(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        reader.connect(PATH)
        start = int(time.time())
        packages.dpkg("--install", DAEMON_PACKAGE)
        self.assertEqual(systemctl("is-active", MOTION_SOCKET).strip(), "active")
        self.assertNotIn("Failed", journal_of(MOTION_SOCKET, start))
        self.expect_motion()
        self.assertEqual(self.service.show("ActiveState"), "active")


class RemovedPackages(PackageCase):
    def test_leave_no_service_and_keep_the_state(self):
        self.service.start()
        self.screen().call("SetRotationLock", "b", True)
        packages.dpkg("--remove", "orientationd")
        self.assertEqual(self.service.show("LoadState"), "not-found")
        with self.assertRaises(CallFailed) as refused:
            self.device.property("Orientation")
        self.assertRegex(str(refused.exception), "not provided by any|unknown|activatable")
        self.assertFalse(os.path.exists(PATH))
        processes = subprocess.run(["pgrep", "-u", "orientationd"], stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(processes, "")
        self.assertTrue((STATE_DIRECTORY / "state").exists())
        packages.dpkg("--install", DAEMON_PACKAGE)
        self.assertTrue(self.screen().property("RotationLocked"))

    def test_leave_nothing_when_purged_but_the_name_of_the_user(self):
        self.service.start()
        self.device.property("Orientation")
        packages.dpkg("--purge", *packages.NAMES)
        self.assertFalse(Path(PATH).parent.exists())
        changes = packages.changes_since_before()
        self.assertEqual({path: change for path, change in changes.items() if path not in ACCOUNTS}, {})
        self.assertEqual(pwd.getpwnam("orientationd").pw_shell, "/usr/sbin/nologin")
        for name in packages.NAMES:
            self.assertEqual(list(Path("/var/lib/dpkg/info").glob(f"{name}.*")), [])
        self.assertNotIn("orientationd", systemctl("list-unit-files"))


class TestsOfThePackages(PackageCase):
    def test_replayed_sensor(self):
        self.check("replayed-sensor")

    def test_compiled_client(self):
        self.check("compiled-client", CLIENT=str(CLIENT))


@contextlib.contextmanager
def monitor():
    """The orientations that `orientationctl monitor` has said up to now."""
    process = subprocess.Popen(["orientationctl", "monitor", "--device", "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    said = []

    def read():
        for line in process.stdout:
            said.append(json.loads(line)["name"])

    threading.Thread(target=read, daemon=True).start()
    try:
        yield said
    finally:
        process.kill()
        process.wait()
