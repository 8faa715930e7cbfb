# SPDX-License-Identifier: Apache-2.0
"""What the unit allows to the daemon, and to an attacker who takes it over."""
import json
import pwd
import re
import subprocess
from pathlib import Path

import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import BEGIN, STATE_DIRECTORY, OrientationdCase
from uinput_device import KEY_A, SW_TABLET_MODE, UinputDevice

HIGHEST_EXPOSURE = 0.8              # of 10, as systemd-analyze rates how much harm the daemon could do
PROBE = Path(__file__).parent / "confined_probe.py"


class ConfinedDaemon(OrientationdCase):
    def test_has_no_privileges_in_any_of_its_threads(self):
        chip = I2CChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        iio_device.wait_for(chip.iio_name)
        self.client.call(BEGIN)
        self.wait_for_property("SensorStatus", "active")
        user = pwd.getpwnam("orientationd")
        threads = list(Path(f"/proc/{self.service.process}/task").iterdir())
        self.assertGreater(len(threads), 1)
        for thread in threads:
            status = dict(line.split(":", 1) for line in (thread / "status").read_text().splitlines())
            for kind in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
                self.assertEqual(int(status[kind], 16), 0, kind)
            self.assertEqual(status["NoNewPrivs"].strip(), "1")
            self.assertEqual(status["Seccomp"].strip(), "2")
            self.assertEqual(set(map(int, status["Uid"].split())), {user.pw_uid})
            self.assertEqual(set(map(int, status["Gid"].split())), {user.pw_gid})
            self.assertLessEqual(set(map(int, status["Groups"].split())), {user.pw_gid})


    def test_is_exposed_as_little_as_before(self):
        rated = subprocess.run(["systemd-analyze", "security", "--no-pager", self.service.unit], check=True, capture_output=True,
                               text=True, timeout=100).stdout
        exposure = re.search(r"exposure level for \S+: ([0-9.]+)", rated)
        self.assertLessEqual(float(exposure[1]), HIGHEST_EXPOSURE, rated)


class ProgramInItsPlace(OrientationdCase):
    """Under the same unit, with a sensor, a switch and a keyboard there."""

    def setUp(self):
        super().setUp()
        hub = HidSensorHub()
        hub.plug()
        self.addCleanup(hub.unplug)
        folder = iio_device.wait_for(hub.iio_name).path.resolve()
        self.switch, self.keyboard = UinputDevice([SW_TABLET_MODE]), UinputDevice(keys=[KEY_A])
        for device in self.switch, self.keyboard:
            device.plug()
            self.addCleanup(device.unplug)
        self.node = f"/dev/{folder.name}"
        self.frequency, self.power = folder / "in_accel_sampling_frequency", folder / "power/control"
        subprocess.run(["udevadm", "settle"], check=True)
        self.findings = self.probe(self.node, self.switch.node, self.keyboard.node, self.frequency, self.power)

    def probe(self, *files):
        words = ["/usr/bin/python3", str(PROBE), *map(str, files)]
        self.service.override("Service", ExecStart=["", " ".join(words)])
        self.addCleanup(self.service.remove_override)
        self.addCleanup(self.service.stop)
        self.service.start()
        return json.loads((STATE_DIRECTORY / "findings").read_text())

    def expect(self, **outcomes):
        self.assertEqual({what: self.findings[what] for what in outcomes}, outcomes)

    def test_can_do_what_the_daemon_has_to_and_nothing_else(self):
        self.expect(**{
            "open a socket of the Internet": "EAFNOSUPPORT",
            "open a socket for packets": "EAFNOSUPPORT",
            "listen": "ENOSYS",
            "signal another process": "ENOSYS",
            "change a file's mode": "ENOSYS",
            "mount": "ENOSYS",
            "trace": "ENOSYS",
            "become root": "ENOSYS",
            "create a file in /etc": "EROFS",
            "create a file in /var/lib": "EROFS",
            "create a file in its state directory": "done",
            "read /root": "EACCES",
            "read /proc/1/status": "ENOENT",
            "read /proc/sys/kernel/random/boot_id": "ENOENT",
            "write /sys/power/state": "EACCES",
            "write /sys/devices/system/cpu/cpu1/online": "EACCES",
        })
        self.assertIn(self.findings["unshare"], ("ENOSYS", "EPERM"))
        # From systemd 254 on, a service may say in this file when it wants to hear of low memory.
        own = "/sys/fs/cgroup/system.slice/orientationd.service/memory.pressure"
        self.assertEqual([folder for folder in self.findings["writable below /sys"] if folder != own], ["/sys/devices"])

    def test_reads_the_sensor_and_the_switch_and_no_keyboard_and_no_other_device(self):
        self.expect(**{
            f"read {self.node}": "done",
            f"read {self.switch.node}": "done",
            f"write {self.switch.node}": "EACCES",
            f"read {self.keyboard.node}": "EACCES",
            f"write {self.keyboard.node}": "EACCES",
            f"write {self.frequency}": "done",
            f"write {self.power}": "EACCES",
        })
        for what in "read /dev/mem", "read the first disk", "write /dev/uinput":
            self.assertIn(self.findings[what], ("EACCES", "EPERM", "ENOENT"), what)
