# SPDX-License-Identifier: Apache-2.0
"""`systemctl reload orientationd`: another configuration, the same clients."""
import os
import signal
import subprocess
import time
from pathlib import Path

from orientationd_case import BEGIN, END, announced_property, orientation_signal
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT
from systemd_service import systemctl
from test_hid_buffered import HidCase
from waiting import wait_until

DROP_IN = Path("/run/orientationd.conf.d/test.conf")
MANY = 200
WHAT_A_TURN_CHANGES = ["InterfaceOrientation", "InterfaceOrientationName", "Orientation", "OrientationName",
                       "SuggestedInterfaceOrientation", "SuggestedInterfaceOrientationName", "Transform"]
UPSIDE_DOWN = "MountMatrix=-1,0,0; 0,-1,0; 0,0,1"


class Reload(HidCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(DROP_IN.unlink, missing_ok=True)

    def configure(self, *lines):
        DROP_IN.parent.mkdir(parents=True, exist_ok=True)
        DROP_IN.write_text("\n".join(["[Orientation]", *lines]) + "\n")

    def reload(self, *lines):
        self.configure(*lines)
        self.service.reload()

    def told(self):
        return [entry["MESSAGE"] for entry in self.service.journal()]

    def expect_told(self, *parts):
        def said():
            return any(all(part in message for part in parts) for message in self.told())
        wait_until(said, 10, f"a message with {parts}, but {self.told()}")

    def openings_since(self, position):
        """What the hub is told when it is opened, and not while it rests."""
        return [entry for entry in self.hub.log[position:] if entry.what in ("power", "reporting")]

    def test_takes_another_rate_and_mount_matrix_into_use_and_keeps_the_client(self):
        self.begin()
        process, position = self.service.process, self.signals.position
        self.reload("SampleRate=50")
        self.expect_told("SampleRate=50 (was 25)")
        self.wait_for_property("SampleRate", 50)
        self.reload("SampleRate=50", UPSIDE_DOWN)
        self.expect_signal(orientation_signal(2), position, "OrientationDidChange")
        self.assertEqual([signal.arguments[:2] for signal in self.signals.since(position, "OrientationDidChange")],
                         [[2, 1]])
        self.hub.hold(LANDSCAPE_LEFT)
        self.expect_signal(orientation_signal(4), position, "OrientationDidChange")
        self.assertEqual(self.service.process, process)
        self.assertEqual(self.service.show("ActiveState"), "active")
        self.client.call(END)
        self.assertEqual(self.device.property("SensorStatus"), "idle")

    def test_keeps_the_value_of_a_wrong_line_and_says_which_line(self):
        self.configure("SampleRate=50")
        self.begin()
        position, told = self.signals.position, len(self.hub.log)
        self.reload("SampleRate=999")
        self.expect_told(f"{DROP_IN}:2", "SampleRate=", "'999'", "the old value is kept")
        time.sleep(1)
        self.assertEqual(self.device.property("SampleRate"), 50)
        self.assertEqual(self.signals.since(position), [])
        self.assertEqual(self.openings_since(told), [])

    def test_of_a_file_that_cannot_be_read_keeps_everything(self):
        self.configure("SampleRate=50")
        self.begin()
        position = self.signals.position
        DROP_IN.chmod(0o600)
        self.service.reload()
        self.expect_told(str(DROP_IN), "cannot be read", "kept")
        self.assertEqual(self.device.property("SampleRate"), 50)
        self.assertEqual(self.signals.since(position), [])

    def test_keeps_lock_and_manual_orientation(self):
        self.begin()
        subprocess.run(["orientationctl", "lock"], check=True)
        subprocess.run(["orientationctl", "rotate", "landscapeLeft"], check=True)
        self.reload(UPSIDE_DOWN, "FollowIn=tablet", "HardwareLock=no", "AlwaysOn=yes", "MaxClients=7")
        self.expect_told("AlwaysOn=yes (was no)", "MaxClients=7 (was 256)")
        self.client.call(END)
        time.sleep(1)
        self.assertEqual(self.device.property("SensorStatus"), "active")
        screen = subprocess.run(["orientationctl", "status", "--json"], check=True, capture_output=True, text=True).stdout
        self.assertIn('"landscapeLeft"', screen)
        self.assertIn('"rotation_locked":true', screen.replace(" ", ""))
        self.reload()
        self.wait_for_property("SensorStatus", "idle")

    def test_says_what_takes_a_restart(self):
        self.begin()
        self.reload("SensorProxy=yes")
        self.expect_told("SensorProxy=yes", "restart")

    def test_many_times_with_nothing_new_changes_nothing(self):
        self.begin()
        process, position, told = self.service.process, self.signals.position, len(self.hub.log)
        for _ in range(MANY):
            os.kill(process, signal.SIGHUP)
            time.sleep(0.005)
        self.service.reload()
        self.hub.hold(LANDSCAPE_RIGHT)
        self.expect_signal(orientation_signal(4), position, "OrientationDidChange")
        self.assertEqual(self.openings_since(told), [])
        self.expect_signal(announced_property("InterfaceOrientation", 4), position, "the interface that follows")
        announced = [name for signal in self.signals.since(position, "PropertiesChanged") for name in signal.changed_properties()]
        self.assertEqual(sorted(announced), WHAT_A_TURN_CHANGES)
        self.assertEqual(self.service.process, process)
        self.assertEqual([message for message in self.told() if "configuration" in message], [])

    def test_many_times_with_always_another_rate_ends_with_the_last(self):
        self.begin()
        process = self.service.process
        for count in range(30):
            self.configure(f"SampleRate={(50, 100)[count % 2]}")
            os.kill(process, signal.SIGHUP)
            time.sleep(0.02)
        self.reload("SampleRate=20")
        self.wait_for_property("SampleRate", 20)
        self.hub.hold(FACE_UP)
        self.wait_for_orientation(FACE_UP.name)
        self.assertEqual(self.service.process, process)

    def holds_back(self, process):
        """Whether it blocks SIGHUP, which it does first of all. (systemd's own process, which it was before, does not.)"""
        status = dict(line.split(":\t", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
        return status["Name"] == "orientationd" and int(status["SigBlk"], 16) & 1 << signal.SIGHUP - 1

    def test_before_it_is_ready_does_no_harm(self):
        for _ in range(3):
            self.service.stop()
            self.service.forget_failures()
            systemctl("start", "--no-block", self.service.unit)
            process = wait_until(lambda: self.service.process, 10, "a process")
            wait_until(lambda: self.holds_back(process), 10, "a process that holds SIGHUP back")
            while self.service.show("ActiveState") == "activating":
                os.kill(process, signal.SIGHUP)
            wait_until(lambda: self.service.show("ActiveState") == "active", 20, "active")
            self.assertEqual(self.service.process, process)
            self.assertEqual(self.service.show("NRestarts"), "0")
            self.wait_for_property("HasAccelerometer", True)

    def test_while_a_driver_hangs_does_not_wait_for_it(self):
        self.hub.hold(PORTRAIT)
        self.device.property("HasAccelerometer")
        self.addCleanup(time.sleep, 6)
        self.addCleanup(self.hub.answer)
        self.hub.hang()
        self.client.call(BEGIN)
        time.sleep(1)
        began = time.monotonic()
        self.reload("MaxClients=7")
        self.expect_told("MaxClients=7 (was 256)")
        status = self.device.property("SensorStatus")
        # Three seconds after BEGIN, of which one has been slept, the driver is said to be silent.
        self.assertIn(status, ("starting",) if time.monotonic() - began < 2 else ("starting", "silent"))
        # The opening asks the hub ten times, and the kernel waits 5 s for each answer.
        self.assertLess(time.monotonic() - began, 20)
