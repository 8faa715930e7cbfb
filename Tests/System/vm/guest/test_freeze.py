# SPDX-License-Identifier: Apache-2.0
"""The daemon is frozen for ten seconds, and the tablet is turned meanwhile: it announces the present orientation, and no old one."""
import os
import signal
import time

from hid_sensor_hub import STREAMS, HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import BEGIN, OrientationdCase, boot_time, orientation_signal
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT, PORTRAIT_UPSIDE_DOWN
from systemd_service import systemctl
from test_hid_buffered import HidCase
from waiting import wait_until

FROZEN = 10                         # seconds
TURNS = (LANDSCAPE_LEFT, PORTRAIT_UPSIDE_DOWN, FACE_UP)
LAST = LANDSCAPE_RIGHT


class Freeze:
    def stop_and_continue(self, sensor):
        process = self.service.process
        os.kill(process, signal.SIGSTOP)
        self.turn(sensor)
        return self.awake(lambda: os.kill(process, signal.SIGCONT))

    def freeze_and_thaw(self, sensor):
        systemctl("freeze", self.service.unit)
        self.addCleanup(systemctl, "thaw", self.service.unit)
        self.turn(sensor)
        return self.awake(lambda: systemctl("thaw", self.service.unit))

    def turn(self, sensor):
        """Often, soon after the beginning: what the kernel keeps is what was first."""
        for pose in (*TURNS, LAST):
            sensor.hold(pose)
            time.sleep(0.6 if pose is TURNS[0] else FROZEN / 4)

    def awake(self, wake):
        self.position, self.awake_at = self.signals.position, boot_time()
        wake()
        return self.expect_signal(orientation_signal(LAST.orientation), self.position, "OrientationDidChange")

    def expect_the_present_only(self, signal):
        time.sleep(2)
        told = [signal.arguments[0] for signal in self.signals.since(self.position, "OrientationDidChange")]
        self.assertEqual(told, [LAST.orientation])
        self.assertGreater(signal.arguments[2] / 1e6, self.awake_at, "the time of a sample before it was awake")
        self.assertEqual([entry["MESSAGE"] for entry in self.service.journal()
                          if any(word in entry["MESSAGE"] for word in ("answer", "no sample in", "does not work"))], [])


class HubThatStreams(HidCase, Freeze):
    def begin_in_motion(self):
        """Its tablet has just been turned: it does not rest yet."""
        self.begin()
        self.hub.hold(FACE_UP)
        self.wait_for_orientation(FACE_UP.name)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation(PORTRAIT.name)

    def test_by_a_signal(self):
        self.begin_in_motion()
        self.expect_the_present_only(self.stop_and_continue(self.hub))

    def test_by_the_freezer(self):
        self.begin_in_motion()
        self.expect_the_present_only(self.freeze_and_thaw(self.hub))


class HubAtRest(HidCase, Freeze):
    """Reports changes only."""

    def test_by_a_signal(self):
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")
        self.expect_the_present_only(self.stop_and_continue(self.hub))


class HubThatIsSlowedDownAtRest(OrientationdCase, Freeze):
    def test_by_a_signal(self):
        hub = HidSensorHub(firmware=STREAMS)
        self.plug_in(hub)
        hub.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        wait_until(lambda: hub.report_interval > 150, 10, "the slow report interval")
        self.expect_the_present_only(self.stop_and_continue(hub))


class PolledChip(OrientationdCase, Freeze):
    def setUp(self):
        super().setUp()
        self.chip = I2CChip()
        self.plug_in(self.chip)
        self.chip.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)

    def test_by_a_signal(self):
        self.expect_the_present_only(self.stop_and_continue(self.chip))

    def test_at_rest_by_the_freezer(self):
        time.sleep(3)
        self.expect_the_present_only(self.freeze_and_thaw(self.chip))
