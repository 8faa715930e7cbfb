# SPDX-License-Identifier: Apache-2.0
"""The rotation lock and the interface orientation of the installed daemon, with a real polkit."""
import os
import signal
import subprocess
import time

from bus import CallFailed, RemoteObject
from orientationd_case import OrientationdCase, announced_property, orientation_signal
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT, PORTRAIT_UPSIDE_DOWN
from systemd_service import SystemdService
from test_hid_buffered import HidCase
from waiting import wait_until

SET_LOCK = "SetRotationLock"


def screen_interface():
    return RemoteObject("org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen")


def is_suggestion(signal):
    return signal.member == "PropertiesChanged" and "SuggestedInterfaceOrientation" in signal.changed_properties()


class ScreenCase(HidCase):
    def setUp(self):
        super().setUp()
        self.screen = screen_interface()
        self.begin()

    def lock(self, on):
        position = self.signals.position
        self.screen.call(SET_LOCK, "b", on)
        self.expect_signal(announced_property("RotationLocked", on), position, f"RotationLocked {on}")

    def turn_unheard(self, pose):
        position = self.signals.position
        self.hub.hold(pose)
        self.expect_signal(is_suggestion, position, f"suggestion for {pose.name}")


class LockedTablet(ScreenCase):
    def test_is_not_told_to_turn_and_once_when_unlocked(self):
        self.lock(True)
        self.assertTrue(self.screen.property("RotationLocked"))
        position = self.signals.position
        for pose in (LANDSCAPE_LEFT, FACE_UP, PORTRAIT_UPSIDE_DOWN, LANDSCAPE_RIGHT):
            self.turn_unheard(pose)
        self.assertEqual([sorted(signal.changed_properties()) for signal in self.signals.since(position)],
                         [["SuggestedInterfaceOrientation", "SuggestedInterfaceOrientationName"]] * 4)
        self.assertEqual(self.device.property("OrientationName"), "portrait")
        self.assertEqual(self.screen.property("InterfaceOrientationName"), "portrait")
        self.lock(False)
        self.expect_signal(orientation_signal(4), position, "OrientationDidChange")
        self.expect_signal(announced_property("InterfaceOrientationName", "landscapeLeft"), position, "interface")
        self.expect_signal(announced_property("Transform", "90"), position, "transform")
        time.sleep(1)
        self.assertEqual(len(self.signals.since(position, "OrientationDidChange")), 1)

    def test_turned_away_and_back_is_told_nothing_when_unlocked(self):
        self.lock(True)
        position = self.signals.position
        self.turn_unheard(LANDSCAPE_LEFT)
        self.turn_unheard(PORTRAIT)
        self.lock(False)
        time.sleep(1)
        self.assertEqual(self.signals.since(position, "OrientationDidChange"), [])

    def test_can_be_rotated_by_hand(self):
        self.lock(True)
        self.screen.call("Rotate", "u", 3)
        self.assertEqual(self.screen.property("Transform"), "270")
        self.screen.call("Rotate", "u", 1)
        self.assertEqual(self.screen.property("Transform"), "normal")

    def test_stays_locked_in_landscape_over_a_restart_and_a_crash(self):
        self.hub.hold(LANDSCAPE_LEFT)
        self.wait_for_orientation(LANDSCAPE_LEFT.name)
        self.lock(True)
        self.hub.hold(PORTRAIT)
        for end in (self.service.stop, lambda: os.kill(self.service.process, signal.SIGKILL)):
            process = self.service.process
            end()
            wait_until(lambda: self.service.process != process, 10, "end of the daemon")
            self.assertTrue(self.screen.property("RotationLocked"))
            self.assertEqual(self.screen.property("InterfaceOrientationName"), "landscapeRight")


class HeldTablet(ScreenCase):
    """An app in a process of its own holds the interface."""

    def hold(self, orientations):
        app = subprocess.Popen(["orientationctl", "hold", *orientations, "--", "sleep", "1000"])
        self.addCleanup(app.wait)
        self.addCleanup(app.kill)
        return app

    def wait_for_interface(self, name):
        wait_until(lambda: self.screen.property("InterfaceOrientationName") == name, 10, f"an interface in {name}")

    def test_ends_with_the_app_that_is_killed_and_the_one_before_counts_again(self):
        self.lock(True)
        first = self.hold(["landscapeRight"])
        self.wait_for_interface("landscapeRight")
        second = self.hold(["portraitUpsideDown"])
        self.wait_for_interface("portraitUpsideDown")
        second.kill()
        self.wait_for_interface("landscapeRight")
        killed = self.service.process
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: self.service.process != killed, what="the end of the daemon")
        self.wait_for_interface("landscapeRight")
        first.kill()
        self.wait_for_interface("portrait")


class WhoMayLock(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.screen = screen_interface()

    def test_root_may(self):
        self.screen.call(SET_LOCK, "b", True)
        self.assertTrue(self.screen.property("RotationLocked"))

    def test_root_may_although_polkit_was_restarted_while_it_decided(self):
        """The bus says that nobody answers any more, and starts polkit anew for the second question."""
        polkit = SystemdService("polkit")
        polkit.start_afresh()
        self.addCleanup(polkit.start_afresh)    # not stopped, whatever comes
        self.screen.property("RotationLocked")
        decides = polkit.process
        os.kill(decides, signal.SIGSTOP)
        # busctl has the user asked, if nothing else is said, and a second dialogue is not opened.
        lock = subprocess.Popen(["busctl", "--system", "--allow-interactive-authorization=no", "call", self.screen.service,
                                 self.screen.path, self.screen.interface, SET_LOCK, "b", "true"], stderr=subprocess.PIPE, text=True)
        # Nobody can see the question that waits for it. Killed before that comes, it would only be started once.
        time.sleep(2)
        self.assertIsNone(lock.poll())
        os.kill(decides, signal.SIGKILL)
        self.assertEqual(lock.communicate(timeout=100)[1], "")
        self.assertEqual(lock.returncode, 0)
        self.assertTrue(self.screen.property("RotationLocked"))
        self.assertNotIn(polkit.process, (0, decides))

    def test_a_user_without_a_session_may_not(self):
        refusal = subprocess.run(["busctl", "--system", "call", self.screen.service, self.screen.path,
                                  self.screen.interface, SET_LOCK, "b", "true"],
                                 user="nobody", capture_output=True, text=True, timeout=30)
        self.assertNotEqual(refusal.returncode, 0)
        # busctl has words of its own for this error.
        self.assertIn("access denied", refusal.stderr.lower())
        self.assertFalse(self.screen.property("RotationLocked"))

    def test_what_cannot_be_is_refused_by_words(self):
        for words, method, *arguments in (("7 is no interface orientation", "Rotate", "u", 7),
                                          ("No orientation is named", "SetSupportedInterfaceOrientations", "as", []),
                                          ('"up" is no interface', "SetSupportedInterfaceOrientations", "as", ["up"])):
            with self.subTest(method), self.assertRaisesRegex(CallFailed, words):
                self.screen.call(method, *arguments)
