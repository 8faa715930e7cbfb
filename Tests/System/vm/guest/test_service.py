# SPDX-License-Identifier: Apache-2.0
"""The installed daemon as a systemd service, on a machine without an accelerometer."""
import pwd
import subprocess
import time
from pathlib import Path

from bus import CallFailed
from orientationd_case import BEGIN, END, OrientationdCase
from systemd_service import systemctl
from waiting import wait_until


class ServiceOfSystemd(OrientationdCase):
    def test_is_started_by_the_first_call(self):
        self.assertEqual(self.service.show("ActiveState"), "inactive")
        self.device.property("Orientation")
        self.assertEqual(self.service.show("ActiveState"), "active")

    def test_tells_systemd_when_it_is_ready(self):
        self.service.start()
        self.assertEqual(self.service.show("Type"), "notify")
        self.assertEqual(self.service.show("SubState"), "running")
        self.assertIn("Active: active (running)", systemctl("status", self.service.unit))

    def test_keeps_the_watchdog_alive(self):
        self.service.start()
        self.assertNotIn(self.service.show("WatchdogUSec"), ("0", str(2 ** 64 - 1)))
        # The same with less patience, for a test's sake.
        self.service.stop()
        self.service.override("Service", WatchdogSec="4s")
        self.addCleanup(self.service.remove_override)
        self.service.start()
        process = self.service.process
        ready = self.service.show("WatchdogTimestampMonotonic")
        wait_until(lambda: self.service.show("WatchdogTimestampMonotonic") != ready, 8, "life sign")
        self.assertEqual(self.service.process, process, "started again by the watchdog")

    def test_does_not_wake_up_while_nobody_listens(self):
        self.service.start()
        time.sleep(5)
        self.assertEqual(self.wake_ups(seconds=60), 0)

    def test_runs_without_privileges(self):
        self.service.start()
        status = dict(line.split(":", 1) for line in
                      Path(f"/proc/{self.service.process}/status").read_text().splitlines())
        self.assertEqual(int(status["Uid"].split()[1]), pwd.getpwnam("orientationd").pw_uid)
        self.assertEqual(int(status["CapEff"], 16), 0)

    def test_serves_every_user(self):
        answer = subprocess.run(["busctl", "--system", "call", self.device.service, self.device.path,
                                 self.device.interface, BEGIN],
                                user="nobody", capture_output=True, text=True, timeout=30)
        self.assertEqual(answer.returncode, 0, answer.stderr)


class MachineWithoutAccelerometer(OrientationdCase):
    def test_is_a_state_not_a_failure(self):
        self.assertFalse(self.device.property("HasAccelerometer"))
        self.assertEqual(self.device.property("SensorStatus"), "absent")
        self.assertEqual(self.device.property("SensorName"), "")
        self.assertEqual(self.device.property("OrientationName"), "unknown")
        self.assertEqual(self.service.show("ActiveState"), "active")

    def test_is_told_to_the_journal_once_with_an_id_of_its_own(self):
        self.device.property("SensorStatus")
        told = [entry for entry in self.service.journal() if "no accelerometer" in entry["MESSAGE"]]
        self.assertEqual(len(told), 1, told)
        self.assertEqual(told[0]["SYSLOG_IDENTIFIER"], "orientationd")
        self.assertEqual(told[0]["PRIORITY"], "5")
        self.assertRegex(told[0]["MESSAGE_ID"], "^[0-9a-f]{32}$")

    def test_begin_and_end_succeed(self):
        self.client.call(BEGIN)
        self.assertTrue(self.device.property("GeneratesDeviceOrientationNotifications"))
        self.client.call(END)
        self.assertFalse(self.device.property("GeneratesDeviceOrientationNotifications"))

    def test_a_single_question_is_answered_with_an_error(self):
        with self.assertRaisesRegex(CallFailed, "SensorUnavailable"):
            self.device.call("MeasureOrientation")
        self.assertEqual(self.service.show("ActiveState"), "active")
