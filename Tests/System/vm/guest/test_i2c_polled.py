# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with a chip without trigger on the I2C bus: polled."""
import time

from i2c_chip import I2CChip
from orientationd_case import BEGIN, END, OrientationdCase, orientation_signal
from poses import FACE_DOWN, PORTRAIT
from waiting import wait_until

# The kernel's driver keeps the chip powered for two more seconds after its last use.
POWER_DOWN_TIMEOUT = 10


class OrientationOfATabletWithAChip(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.chip = I2CChip()
        self.iio = self.plug_in(self.chip)
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "power-down after probing")

    def begin(self):
        self.chip.hold(FACE_DOWN)
        self.client.call(BEGIN)
        self.wait_for_orientation(FACE_DOWN.name)

    def test_follows_all_six_poses(self):
        self.check_all_six_poses(self.chip)

    def test_is_polled_and_says_at_what_rate(self):
        self.begin()
        self.assertFalse(self.iio.buffer_enabled)
        self.assertEqual(self.device.property("SensorStatus"), "active")
        self.assertIn(self.chip.iio_name, self.device.property("SensorName"))
        self.assertGreaterEqual(self.device.property("SampleRate"), 25)

    def test_is_looked_at_less_often_while_it_lies_still_and_followed_when_it_moves(self):
        self.begin()
        time.sleep(3)
        self.assertLess(self.wake_ups(seconds=10), 120)     # at the full rate, 250
        position = self.signals.position
        self.chip.hold(PORTRAIT)
        self.expect_signal(orientation_signal(1), position, "OrientationDidChange")

    def test_is_not_sampled_before_the_first_begin(self):
        self.wait_for_property("SensorStatus", "idle")
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            self.assertFalse(self.chip.powered)

    def test_is_not_sampled_after_the_last_end(self):
        self.begin()
        self.assertTrue(self.chip.powered)
        self.client.call(END)
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "standby")

    def test_is_not_sampled_after_the_last_client_died(self):
        self.begin()
        self.client.kill()
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "standby")

    def test_is_let_go_on_sigterm(self):
        self.begin()
        self.service.stop()
        self.assertEqual(self.service.show("Result"), "success")
        self.assertFalse(self.iio.buffer_enabled)
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "standby")
