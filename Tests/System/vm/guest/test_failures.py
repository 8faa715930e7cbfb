# SPDX-License-Identifier: Apache-2.0
"""What systemd does when the daemon crashes or hangs."""
import os
import signal
import subprocess
import time

import iio_device
from bus import CallFailed
from i2c_chip import I2CChip
from orientationd_case import BEGIN, OrientationdCase
from poses import LANDSCAPE_LEFT
from waiting import wait_until

MOST_STARTS = 6                     # StartLimitBurst= of the unit


class ServiceThatFails(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.began = time.time()
        self.addCleanup(self.service.forget_failures)

    def started_again(self, process):
        """The number of the new process, once that is ready."""
        def ready():
            new = self.service.process
            return new if new not in (0, process) and self.service.show("ActiveState") == "active" else None
        return wait_until(ready, 30, "another process")

    def told_by_systemd(self):
        """In this test."""
        subprocess.run(["journalctl", "--sync"], check=True)
        return subprocess.run(["journalctl", "--quiet", "--output=cat", f"--since=@{self.began}", "_PID=1",
                               f"UNIT={self.service.unit}"], check=True, capture_output=True, text=True).stdout

    def test_that_is_killed_is_back_at_work_before_the_next_call_is_answered(self):
        chip = I2CChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        iio_device.wait_for(chip.iio_name)
        chip.hold(LANDSCAPE_LEFT)
        self.client.call(BEGIN)
        self.wait_for_orientation(LANDSCAPE_LEFT.name)
        killed = self.service.process
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: self.service.process != killed, what="the end")
        self.assertEqual(self.device.call("MeasureOrientation"), [LANDSCAPE_LEFT.orientation, LANDSCAPE_LEFT.name])
        self.assertNotIn(self.service.process, (0, killed))
        self.assertEqual(self.service.show("NRestarts"), "1")

    def test_that_hangs_is_ended_by_the_watchdog_and_started_again(self):
        self.service.override("Service", WatchdogSec="3s")
        self.addCleanup(self.service.remove_override)
        self.addCleanup(self.service.stop)
        self.service.start()
        frozen = self.service.process
        os.kill(frozen, signal.SIGSTOP)
        self.started_again(frozen)
        self.assertEqual(self.service.show("NRestarts"), "1")
        self.assertIn("Watchdog timeout", self.told_by_systemd())
        self.assertIn("status=6/ABRT", self.told_by_systemd())

    def test_again_and_again_is_left_alone_as_failed_and_answers_after_reset(self):
        self.service.start()
        for _ in range(MOST_STARTS - 1):
            crashed = self.service.process
            os.kill(crashed, signal.SIGSEGV)
            self.started_again(crashed)
        os.kill(self.service.process, signal.SIGSEGV)
        wait_until(lambda: self.service.show("ActiveState") == "failed", 10, "state failed")
        self.assertEqual(self.service.show("Result"), "signal")
        self.assertIn("Start request repeated too quickly", self.told_by_systemd())
        with self.assertRaises(CallFailed):
            self.device.property("SensorStatus")
        self.assertEqual(self.service.show("ActiveState"), "failed")
        self.service.forget_failures()
        self.assertEqual(self.device.property("SensorStatus"), "absent")

    def test_for_wrong_options_is_not_tried_again(self):
        self.service.override("Service", ExecStart=["", "/usr/libexec/orientationd --no-such-option"])
        self.addCleanup(self.service.remove_override)
        with self.assertRaises(RuntimeError):
            self.service.start()
        self.assertEqual(self.service.show("ActiveState"), "failed")
        self.assertEqual(self.service.show("ExecMainStatus"), "2")
        self.assertEqual(self.service.show("NRestarts"), "0")
