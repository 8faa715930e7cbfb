# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with a sensor that Debian's iiod serves over the network."""
import signal
import subprocess
import time
from pathlib import Path

from i2c_chip import I2CChip
from orientationd_case import BEGIN, OrientationdCase, announced_property
from poses import ALL_SIX, FACE_DOWN, LANDSCAPE_LEFT
from waiting import wait_until

DROP_IN = Path("/run/orientationd.conf.d/network.conf")


class SensorOfAnotherMachine(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.chip = I2CChip()
        self.plug_in(self.chip)
        DROP_IN.parent.mkdir(parents=True, exist_ok=True)
        DROP_IN.write_text("[Orientation]\nSensor=ip:127.0.0.1\n")
        self.addCleanup(DROP_IN.unlink)

    def allow(self):
        """As orientationd.conf(5) says."""
        self.service.override("Service", RestrictAddressFamilies="AF_INET AF_INET6", IPAddressAllow="127.0.0.1")
        self.addCleanup(self.service.remove_override)

    def start_iiod(self):
        self.iiod = subprocess.Popen(["/usr/sbin/iiod"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end_iiod)
        wait_until(_iiod_listens, 10, "iiod")

    def end_iiod(self):
        self.iiod.kill()
        self.iiod.wait()

    def told(self, text):
        return [entry["MESSAGE"] for entry in self.service.journal() if text in entry["MESSAGE"]]

    def test_follows_all_six_poses(self):
        self.allow()
        self.start_iiod()
        self.client.call(BEGIN)
        # A guest that is busy for half a second interrupts the connection, which is unknown for a moment.
        for pose in ALL_SIX:
            with self.subTest(pose=pose.name):
                self.chip.hold(pose)
                self.wait_for_orientation(pose.name, 20)
        self.assertTrue(self.device.property("SensorName").endswith(" at 127.0.0.1"))

    def test_is_lost_with_iiod_and_comes_back_with_it(self):
        self.allow()
        self.start_iiod()
        self.chip.hold(FACE_DOWN)
        self.client.call(BEGIN)
        self.wait_for_orientation(FACE_DOWN.name)
        position = self.signals.position
        self.iiod.send_signal(signal.SIGSTOP)
        self.expect_signal(announced_property("SensorStatus", "absent"), position, "SensorStatus absent")
        self.end_iiod()
        self.chip.hold(LANDSCAPE_LEFT)
        self.start_iiod()
        self.wait_for_orientation(LANDSCAPE_LEFT.name, 20)
        self.assertEqual(len(self.told("iiod at")), 1, self.told("iiod at"))
        self.assertEqual([entry for entry in self.service.journal() if "ERROR" in entry["MESSAGE"]], [])

    def test_frozen_iiod_does_not_hold_up_the_end(self):
        self.allow()
        self.start_iiod()
        self.client.call(BEGIN)
        self.wait_for_property("SensorStatus", "active")
        self.iiod.send_signal(signal.SIGSTOP)
        self.wait_for_property("SensorStatus", "absent")
        began = time.monotonic()
        self.service.stop()
        print(f"      stopped in {time.monotonic() - began:.2f} s", flush=True)
        self.assertEqual(self.service.show("Result"), "success", "systemd had to kill it")

    def test_unit_as_shipped_keeps_it_from_the_network_and_the_journal_says_how_to_allow_it(self):
        self.start_iiod()
        self.client.call(BEGIN)
        self.assertEqual(self.device.property("SensorStatus"), "absent")
        wait_until(lambda: self.told("RestrictAddressFamilies="), 10, "the reason")


def _iiod_listens():
    """On port 30431, by TCP."""
    lines = [line.split() for file in ("/proc/net/tcp", "/proc/net/tcp6") for line in Path(file).read_text().splitlines()]
    return any(words[1].endswith(":76DF") and words[3] == "0A" for words in lines[1:])
