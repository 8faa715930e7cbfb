# SPDX-License-Identifier: Apache-2.0
"""orientationctl calibrate corrects a sensor that nothing describes: by the daemon, and in udev for iio-sensor-proxy too."""
import subprocess
import sys
from pathlib import Path

import iio_device
from bus import RemoteObject, SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from incumbent import CLAIM, is_called, sensor_proxy_interface, sensor_proxy_service
from orientationd_case import BEGIN, OrientationdCase
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, ONE_TURN, PORTRAIT, read_by_turned_hub
from systemd_service import systemctl
from test_hostile import ADDRESS
from test_sensor_proxy_users import IN_A_SESSION, OWNER

sys.path.append("/opt/vm-tests/hostile")

import service as calls                     # noqa: E402
from connection import Connection           # noqa: E402

HWDB_FILE = Path("/etc/udev/hwdb.d/61-sensor-local.hwdb")
LOCAL_HWDB = Path("/etc/udev/hwdb.bin")
TIMEOUT = 100                       # seconds; building the database takes most of them
MATRIX = "0, -1, 0; 1, 0, 0; 0, 0, -1"
PERMISSION = Path("/etc/polkit-1/rules.d/10-calibrate-test.rules")
EARLIER = """\
# An entry of the administrator's.
sensor:modalias:acpi:KIOX0009*:dmi:*
 ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1
"""


def udev(*arguments):
    return subprocess.run(["udevadm", *arguments], check=True, capture_output=True, text=True, timeout=TIMEOUT).stdout


class WronglyMountedHub(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.sensor = RemoteObject(self.device.service, self.device.path, calls.SENSOR)
        self.assertFalse(LOCAL_HWDB.exists(), "the machine's own database, which the test would remove")
        self.hub = HidSensorHub(read=read_by_turned_hub)
        self.addCleanup(self.forget_calibration)
        self.addCleanup(self.hub.unplug)
        HWDB_FILE.parent.mkdir(parents=True, exist_ok=True)
        HWDB_FILE.write_text(EARLIER)
        self.hub.plug()
        iio_device.wait_for(self.hub.iio_name)

    def forget_calibration(self):
        for file in (HWDB_FILE, LOCAL_HWDB):
            file.unlink(missing_ok=True)
        udev("control", "--reload")

    def calibrate(self, *options, start=(), answer="y", status=0):
        """As a person would who confirms each pose by Enter, and says whether the screen turns rightly. Returns what they read.

        `start`: a command that starts it, as somebody else.
        """
        poses = iter((PORTRAIT, FACE_UP, LANDSCAPE_LEFT))
        text = ""
        with subprocess.Popen([*start, "orientationctl", "calibrate", *options], text=True, bufsize=1,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
            for line in tool.stdout:
                text += line
                if "press Enter" in line:
                    self.hub.hold(next(poses))
                    print(file=tool.stdin)
                if "Turn the device." in line:
                    self.assertEqual(self.source(), "preview")
                    print(answer, file=tool.stdin)
        self.assertEqual(tool.returncode, status, text)
        return text

    def matrix_of_udev(self):
        device = str(iio_device.find(self.hub.iio_name).path)
        lines = udev("info", "--query=property", f"--path={device}").splitlines()
        return [line.partition("=")[2] for line in lines if line.startswith("ACCEL_MOUNT_MATRIX=")]

    def source(self):
        """Where the daemon has the mount matrix from."""
        return self.sensor.property("MountMatrixSource")

    def hold_and_wait(self, name):
        self.client.call(BEGIN)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation(name)

    def allow(self):
        """The person before the screen may set the matrix without an administrator, until the test is over."""
        self.addCleanup(systemctl, "restart", "polkit")
        self.addCleanup(PERMISSION.unlink)
        PERMISSION.write_text("""polkit.addRule(function(action, subject) {
            if (action.id == "org.orientationd1.set-mount-matrix" && subject.user == "%s" && subject.active) return polkit.Result.YES;
        });""" % OWNER)
        systemctl("restart", "polkit")

    def check_names_of_sensor_proxy(self):
        self.service.stop()
        self.hub.hold(LANDSCAPE_RIGHT)
        remote = sensor_proxy_interface()
        service = sensor_proxy_service()
        service.start_afresh()
        self.addCleanup(service.stop)
        signals = self.enterContext(SignalMonitor(remote.service))
        self.enterContext(BusClient(remote)).call(CLAIM)
        for pose in ONE_TURN:
            position = signals.position
            self.hub.hold(pose)
            self.assertIsNotNone(signals.wait_for(is_called(pose), position), pose.name)
            self.assertEqual(remote.property("AccelerometerOrientation"), pose.proxy_word)

    def test_is_mended_by_three_poses_for_both_daemons(self):
        self.client.call(BEGIN)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation("landscapeLeft")
        self.assertEqual(self.matrix_of_udev(), [])

        text = self.calibrate("--hwdb", "--apply")
        self.assertIn("udev has it now", text)
        self.assertEqual(self.matrix_of_udev(), [MATRIX], text)
        self.assertTrue(HWDB_FILE.read_text().startswith(EARLIER), HWDB_FILE.read_text())

        self.hub.hold(PORTRAIT)         # the daemon was never told anything, but by udev
        self.wait_for_orientation(PORTRAIT.name)
        self.check_all_six_poses(self.hub)
        self.check_names_of_sensor_proxy()

        again = self.calibrate("--hwdb", "--apply")
        self.assertIn("already right", again)

    def test_is_mended_by_the_daemon_for_who_may_set_that(self):
        self.hold_and_wait("landscapeLeft")
        # Nobody is there whom polkit could ask for the password of an administrator.
        self.assertIn("authentication is required", self.calibrate(start=IN_A_SESSION, status=1))
        self.assertEqual(self.source(), "")
        self.allow()
        self.assertIn("nothing was kept", self.calibrate(start=IN_A_SESSION, answer="n", status=1))
        self.hold_and_wait("landscapeLeft")
        self.assertEqual(self.source(), "")

        self.assertIn("Kept: ", self.calibrate(start=IN_A_SESSION))
        self.assertEqual((self.sensor.property("MountMatrix"), self.source()), (MATRIX, "calibration"))
        self.assertEqual(self.matrix_of_udev(), [])
        self.hold_and_wait(PORTRAIT.name)
        self.check_all_six_poses(self.hub)
        self.service.stop()
        self.service.start()
        self.hold_and_wait(PORTRAIT.name)
        self.hub.unplug()
        iio_device.wait_for_none(self.hub.iio_name)
        self.hub.plug()
        iio_device.wait_for(self.hub.iio_name)
        self.hold_and_wait(PORTRAIT.name)
        self.assertEqual(self.source(), "calibration")

        self.assertEqual(self.reset(*IN_A_SESSION).returncode, 0)
        self.assertEqual(self.source(), "")
        self.hold_and_wait("landscapeLeft")

    def test_is_mended_by_root_and_reset_by_nobody_else(self):
        self.hold_and_wait("landscapeLeft")
        self.calibrate()
        # For udev, which orientationd does not ask now.
        text = self.calibrate("--hwdb")
        self.assertIn(f"{MATRIX} from the calibration", text)
        self.assertIn("calibrate --reset", text)
        self.assertNotIn("uses it at once", text)
        refusal = self.reset("setpriv", "--reuid", "nobody", "--clear-groups")
        self.assertEqual(refusal.returncode, 1)
        self.assertIn("authentication is required", refusal.stderr)
        self.hold_and_wait(PORTRAIT.name)
        self.assertEqual(self.reset().returncode, 0)
        self.hold_and_wait("landscapeLeft")

    def reset(self, *start):
        return subprocess.run([*start, "orientationctl", "calibrate", "--reset"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=TIMEOUT)

    def test_turns_back_after_a_preview(self):
        self.hold_and_wait("landscapeLeft")
        program = self.enterContext(Connection(ADDRESS))
        program.ask(calls.preview_mount_matrix(MATRIX, 10), TIMEOUT)
        self.wait_for_orientation(PORTRAIT.name)
        self.wait_for_orientation("landscapeLeft", 20)
        # By its program's word, it turns back at once.
        program.ask(calls.preview_mount_matrix(MATRIX, 60), TIMEOUT)
        self.wait_for_orientation(PORTRAIT.name)
        program.ask(calls.device("EndMountMatrixPreview", interface=calls.SENSOR), TIMEOUT)
        self.assertEqual(self.source(), "")
        self.wait_for_orientation("landscapeLeft")
        # And if its program ends.
        program.ask(calls.preview_mount_matrix(MATRIX, 60), TIMEOUT)
        self.wait_for_orientation(PORTRAIT.name)
        program.close()
        self.wait_for_orientation("landscapeLeft")
