# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with rotation-lock and tablet-mode switches, simulated through /dev/uinput."""
import os
import pwd
import signal
import subprocess
import time
from pathlib import Path

import iio_device
from bus import RemoteObject
from hid_sensor_hub import HidSensorHub
from orientationd_case import BEGIN, OrientationdCase, announced_property
from poses import LANDSCAPE_LEFT, LANDSCAPE_RIGHT
from process_figures import open_files
from uinput_device import (KEY_A, KEY_MICMUTE, KEY_ROTATE_LOCK_TOGGLE, SW_HEADPHONE_INSERT, SW_LID, SW_ROTATE_LOCK,
                           SW_TABLET_MODE, UinputDevice)
from waiting import wait_until

DROP_IN = Path("/run/orientationd.conf.d/hardware-switches.conf")
LONG_ENOUGH_TO_HEAR = 1
DENIED = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c14"


class SwitchCase(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.screen = RemoteObject(self.device.service, self.device.path, "org.orientationd1.Screen")

    def plug(self, *switches, keys=(), on=()):
        device = UinputDevice(switches, keys)
        device.plug(on)
        self.addCleanup(device.unplug)
        return device

    def configure(self, **settings):
        DROP_IN.parent.mkdir(parents=True, exist_ok=True)
        self.addCleanup(DROP_IN.unlink)
        DROP_IN.write_text("[Orientation]\n" + "".join(f"{key}={value}\n" for key, value in settings.items()))

    def wait_for_screen(self, name, value):
        wait_until(lambda: self.screen.property(name) == value, what=f"{name} = {value}")

    def unlocked(self):
        """The lock survives the service's end: a test that begins unlocked says so."""
        switch = self.plug(SW_ROTATE_LOCK)
        self.wait_for_screen("RotationLocked", False)
        switch.unplug()

    def opened(self):
        """The input devices that the daemon has open."""
        return {Path(file) for file in open_files(self.service.process) if file.startswith("/dev/input/")}


class RotationLockSwitch(SwitchCase):
    def test_sets_the_lock_when_it_moves_and_is_announced(self):
        switch = self.plug(SW_ROTATE_LOCK)
        self.wait_for_screen("RotationLocked", False)
        for position, locked in ((1, True), (0, False)):
            before = self.signals.position
            switch.move(SW_ROTATE_LOCK, position)
            self.expect_signal(announced_property("RotationLocked", locked), before, f"RotationLocked {locked}")
            self.assertEqual(self.screen.property("RotationLocked"), locked)

    def test_sets_the_lock_at_the_start_of_the_service(self):
        self.unlocked()
        self.service.stop()
        self.plug(SW_ROTATE_LOCK, on=[SW_ROTATE_LOCK])
        self.assertTrue(self.screen.property("RotationLocked"))
        # Nobody has seen it otherwise.
        position = self.signals.position
        self.client.call(BEGIN)
        self.expect_signal(announced_property("GeneratesDeviceOrientationNotifications", True), position, "begin")
        time.sleep(LONG_ENOUGH_TO_HEAR)
        self.assertEqual(self.signals.since(position, "RotationLockDidChange"), [])
        self.assertIsNone(self.signals.wait_for(announced_property("RotationLocked", True), position, 0))

    def test_sets_the_lock_when_its_device_appears(self):
        self.unlocked()
        self.plug(SW_ROTATE_LOCK, on=[SW_ROTATE_LOCK])
        self.wait_for_screen("RotationLocked", True)

    def test_leaves_the_lock_when_its_device_vanishes(self):
        switch = self.plug(SW_ROTATE_LOCK, on=[SW_ROTATE_LOCK])
        self.wait_for_screen("RotationLocked", True)
        switch.unplug()
        time.sleep(LONG_ENOUGH_TO_HEAR)
        self.assertTrue(self.screen.property("RotationLocked"))
        self.assertEqual(self.opened(), set())


class RotationLockKey(SwitchCase):
    def test_toggles_the_lock_once_for_each_press(self):
        self.unlocked()
        device = self.plug(keys=[KEY_ROTATE_LOCK_TOGGLE])
        wait_until(lambda: self.opened() == {device.node}, what="device opened")
        for locked in (True, False):
            before = self.signals.position
            device.press(KEY_ROTATE_LOCK_TOGGLE)
            self.expect_signal(announced_property("RotationLocked", locked), before, f"RotationLocked {locked}")
            time.sleep(LONG_ENOUGH_TO_HEAR)
            self.assertEqual(self.screen.property("RotationLocked"), locked)
            told = [heard for heard in self.signals.since(before, "PropertiesChanged")
                    if "RotationLocked" in heard.changed_properties()]
            self.assertEqual(len(told), 1, told)

    def test_on_a_keyboard_does_not_let_other_keys_wake_the_service(self):
        self.device.property("TabletMode")
        keyboard = self.plug(keys=[KEY_A, KEY_ROTATE_LOCK_TOGGLE])
        wait_until(lambda: self.opened() == {keyboard.node}, what="device opened")
        time.sleep(LONG_ENOUGH_TO_HEAR)
        before = self.wake_ups()
        for _ in range(100):
            keyboard.press(KEY_A)
        time.sleep(LONG_ENOUGH_TO_HEAR)
        self.assertLess(self.wake_ups() - before, 5)
        before = self.wake_ups()
        for _ in range(100):
            keyboard.press(KEY_ROTATE_LOCK_TOGGLE)
            time.sleep(0.02)
        self.assertGreater(self.wake_ups() - before, 20, "the count of wake-ups shows nothing")

    def wake_ups(self):
        status = Path(f"/proc/{self.service.process}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary_ctxt"))


class TabletModeSwitch(SwitchCase):
    def test_is_unknown_without_a_switch(self):
        self.assertEqual(self.device.property("TabletMode"), "unknown")

    def test_tells_tablet_and_laptop_and_unknown_once_it_is_gone(self):
        self.assertEqual(self.device.property("TabletMode"), "unknown")
        before = self.signals.position
        switch = self.plug(SW_TABLET_MODE)
        self.expect_signal(announced_property("TabletMode", "laptop"), before, "TabletMode laptop")
        switch.move(SW_TABLET_MODE, 1)
        self.expect_signal(announced_property("TabletMode", "tablet"), before, "TabletMode tablet")
        switch.move(SW_TABLET_MODE, 0)
        self.wait_for_property("TabletMode", "laptop")
        before = self.signals.position
        switch.unplug()
        self.expect_signal(announced_property("TabletMode", "unknown"), before, "TabletMode unknown")

    def test_is_known_to_the_first_call_that_starts_the_service(self):
        self.plug(SW_TABLET_MODE, on=[SW_TABLET_MODE])
        self.assertEqual(self.device.property("TabletMode"), "tablet")

    def test_of_two_devices_either_makes_it_a_tablet(self):
        hinge, dock = self.plug(SW_TABLET_MODE), self.plug(SW_TABLET_MODE, on=[SW_TABLET_MODE])
        self.wait_for_property("TabletMode", "tablet")
        hinge.move(SW_TABLET_MODE, 1)
        dock.move(SW_TABLET_MODE, 0)
        wait_until(lambda: len(self.opened()) == 2, what="two devices opened")
        time.sleep(LONG_ENOUGH_TO_HEAR)
        self.assertEqual(self.device.property("TabletMode"), "tablet")
        hinge.move(SW_TABLET_MODE, 0)
        self.wait_for_property("TabletMode", "laptop")


    def test_is_right_although_the_kernel_had_to_drop_events(self):
        device = self.plug(SW_TABLET_MODE, keys=[KEY_ROTATE_LOCK_TOGGLE])
        self.wait_for_property("TabletMode", "laptop")
        os.kill(self.service.process, signal.SIGSTOP)
        device.move(SW_TABLET_MODE, 1)
        for _ in range(200):        # the kernel keeps some 64 events
            device.press(KEY_ROTATE_LOCK_TOGGLE)
        os.kill(self.service.process, signal.SIGCONT)
        self.wait_for_property("TabletMode", "tablet")


class Configuration(SwitchCase):
    def test_follow_in_tablet_holds_the_natural_orientation_as_a_laptop(self):
        hub = HidSensorHub()
        hub.plug()
        self.addCleanup(hub.unplug)
        iio_device.wait_for(hub.iio_name)
        self.unlocked()
        self.service.stop()
        self.configure(FollowIn="tablet")
        switch = self.plug(SW_TABLET_MODE, on=[SW_TABLET_MODE])
        hub.hold(LANDSCAPE_RIGHT)
        self.client.call(BEGIN)
        self.wait_for_orientation("landscapeRight")
        self.wait_for_screen("InterfaceOrientationName", "landscapeLeft")
        switch.move(SW_TABLET_MODE, 0)
        self.wait_for_screen("InterfaceOrientationName", "portrait")
        hub.hold(LANDSCAPE_LEFT)
        self.wait_for_orientation("landscapeLeft")
        self.assertEqual(self.screen.property("InterfaceOrientationName"), "portrait")
        switch.move(SW_TABLET_MODE, 1)
        self.wait_for_screen("InterfaceOrientationName", "landscapeRight")

    def test_hardware_lock_no_leaves_switch_and_key_unheeded_and_serves_the_mode(self):
        self.unlocked()
        self.service.stop()
        self.configure(HardwareLock="no")
        both = self.plug(SW_ROTATE_LOCK, SW_TABLET_MODE, on=[SW_ROTATE_LOCK])
        key = self.plug(keys=[KEY_ROTATE_LOCK_TOGGLE])
        self.assertEqual(self.device.property("TabletMode"), "laptop")
        key.press(KEY_ROTATE_LOCK_TOGGLE)
        both.move(SW_TABLET_MODE, 1)
        self.wait_for_property("TabletMode", "tablet")
        time.sleep(LONG_ENOUGH_TO_HEAR)
        self.assertFalse(self.screen.property("RotationLocked"))
        self.assertEqual(self.opened(), {both.node})


class Permissions(SwitchCase):
    def test_only_devices_with_these_switches_are_opened_by_a_user_without_privileges(self):
        self.plug(keys=[KEY_A])
        switch = self.plug(SW_TABLET_MODE)
        self.assertEqual(self.device.property("TabletMode"), "laptop")
        self.assertEqual(self.opened(), {switch.node})
        status = Path(f"/proc/{self.service.process}").stat()
        self.assertEqual(status.st_uid, pwd.getpwnam("orientationd").pw_uid)

    def test_a_device_that_may_not_be_opened_is_told_once_with_what_to_do(self):
        for switch in self.plug(SW_TABLET_MODE), self.plug(SW_TABLET_MODE):
            wait_until(lambda: "user:orientationd:" in access_list(switch.node), what="access list")
            subprocess.run(["setfacl", "--remove-all", switch.node], check=True)
        self.assertEqual(self.device.property("TabletMode"), "unknown")
        told = [entry for entry in self.service.journal() if entry.get("MESSAGE_ID") == DENIED]
        self.assertEqual(len(told), 1, told)
        self.assertIn("setfacl", told[0]["MESSAGE"])

    def test_udev_adds_the_service_to_those_who_read_a_switch_and_to_no_other_input_device(self):
        expected = "user::rw-\nuser:orientationd:r--\ngroup::rw-\nmask::rw-\nother::---\n"
        for switches, keys in (([SW_TABLET_MODE], []), ([SW_ROTATE_LOCK], []), ([SW_LID, SW_ROTATE_LOCK], []),
                               ([SW_LID, SW_TABLET_MODE], []), ([], [KEY_ROTATE_LOCK_TOGGLE]),
                               ([], [KEY_A, KEY_MICMUTE, KEY_ROTATE_LOCK_TOGGLE])):
            device = self.plug(*switches, keys=keys)
            wait_until(lambda: access_list(device.node) == expected, what=f"access to {switches} {keys}")
            self.assertEqual(device.node.group(), "input")
        others = [self.plug(*switches, keys=keys) for switches, keys in
                  (([SW_LID], []), ([], [KEY_A]), ([SW_HEADPHONE_INSERT], [KEY_A, KEY_MICMUTE]))]
        subprocess.run(["udevadm", "settle"], check=True)
        for device in others:
            self.assertNotIn("orientationd", access_list(device.node))


def access_list(node):
    return subprocess.run(["getfacl", "--omit-header", "--absolute-names", node],
                          check=True, capture_output=True, text=True).stdout.removesuffix("\n")
