# SPDX-License-Identifier: Apache-2.0
"""The state folder that systemd sets up for the daemon."""
import pwd
import stat

from bus import RemoteObject
from orientationd_case import STATE_DIRECTORY, OrientationdCase

MESSAGE_UNUSABLE = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c10"


class SavedState(OrientationdCase):
    def test_has_a_folder_that_is_the_daemon_users_alone(self):
        self.service.start()
        folder = STATE_DIRECTORY.stat()
        self.assertEqual(folder.st_uid, pwd.getpwnam("orientationd").pw_uid)
        self.assertEqual(stat.S_IMODE(folder.st_mode), 0o700)

    def test_that_is_none_is_kept_aside_and_told_to_the_journal(self):
        self.service.start()
        self.service.stop()
        state, kept = STATE_DIRECTORY / "state", STATE_DIRECTORY / "state.kept-1"
        state.write_text("hello\n")
        self.service.start()
        self.assertEqual(self.service.show("ActiveState"), "active")
        self.assertFalse(state.exists())
        self.assertEqual(kept.read_text(), "hello\n")
        told = [entry for entry in self.service.journal() if entry.get("MESSAGE_ID") == MESSAGE_UNUSABLE]
        self.assertEqual([entry["STATE_FILE"] for entry in told], [str(state)])
        self.assertIn(f"kept as {kept}", told[0]["MESSAGE"])

    def test_keeps_how_readily_the_orientation_changes(self):
        screen = RemoteObject(self.device.service, self.device.path, "org.orientationd1.Screen")
        self.assertEqual(screen.property("Responsiveness"), "normal")
        screen.call("SetResponsiveness", "s", "calm")
        self.service.stop()
        self.assertEqual(screen.property("Responsiveness"), "calm")
        screen.call("SetResponsiveness", "s", "")
        self.assertEqual(screen.property("Responsiveness"), "normal")
