# SPDX-License-Identifier: Apache-2.0
"""The machine sleeps, with and without signals from logind."""
import os
import signal
from pathlib import Path

from machine_sleep import SleepToldByLogind, sleep_as_far_as_a_virtual_machine_can, slept
from orientationd_case import boot_time, orientation_signal
from poses import LANDSCAPE_LEFT, PORTRAIT
from systemd_service import SystemdService
from test_hid_buffered import HidCase
from waiting import BUSY, wait_until

LONGEST_EMULATED_START = 5          # a tablet's sensor starts in a fraction of that


class SleepingTablet(HidCase):
    def setUp(self):
        super().setUp()
        self.begin()

    def expect_landscape_and_nothing_before(self, position, awake_at):
        signal = self.expect_signal(orientation_signal(3), position, "OrientationDidChange")
        self.assertEqual(len(self.signals.since(position, "OrientationDidChange")), 1, self.signals.since(position))
        self.assertLess(signal.arguments[2] / 1e6 - awake_at, BUSY * LONGEST_EMULATED_START)
        print(f"      first state {signal.arguments[2] / 1e6 - awake_at:.2f} s after the resume (emulated)")

    def test_told_by_logind_lets_the_sensor_go_before_and_tells_the_new_orientation_after(self):
        position, log = self.signals.position, len(self.hub.log)
        with SleepToldByLogind():
            wait_until(lambda: not self.iio.buffer_enabled, 10, "release of the sensor")
            wait_until(lambda: not self.hub.powered, 10, "power-down")
            self.hub.hold(LANDSCAPE_LEFT)
        self.expect_landscape_and_nothing_before(position, boot_time())
        self.assertTrue(self.hub.power_ups_since(log))

    def test_starts_the_sensor_anew_where_logind_does_not_tell_that_it_is_awake(self):
        position, logind = self.signals.position, SystemdService("systemd-logind").process
        self.addCleanup(os.kill, logind, signal.SIGCONT)
        with SleepToldByLogind():
            # At once: it waits for five seconds, and then has the machine sleep by itself.
            os.kill(logind, signal.SIGSTOP)
            wait_until(lambda: not self.hub.powered, 10, "power-down")
            self.hub.hold(LANDSCAPE_LEFT)
            Path("/sys/power/state").write_text("mem")
            self.expect_landscape_and_nothing_before(position, boot_time() + 10)
            before = slept()
            os.kill(logind, signal.SIGCONT)
        wait_until(lambda: slept() - before > 1, 60, "logind's own sleep")

    def test_told_by_nobody_starts_the_sensor_anew(self):
        sleep_as_far_as_a_virtual_machine_can()
        position, before, log = self.signals.position, slept(), len(self.hub.log)
        Path("/sys/power/state").write_text("mem")
        self.hub.hold(LANDSCAPE_LEFT)
        awake_at = boot_time()
        self.assertGreater(slept() - before, 1)
        self.expect_landscape_and_nothing_before(position, awake_at)
        wait_until(lambda: any(entry.what == "reporting" for entry in self.hub.log[log:]), 10, "a new start of the sensor")
        self.hub.hold(PORTRAIT)
        self.expect_signal(orientation_signal(1), position, "OrientationDidChange")
