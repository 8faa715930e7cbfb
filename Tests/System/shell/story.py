# SPDX-License-Identifier: Apache-2.0
"""The events on the tablet, and the expected results in a shell."""
import time

from poses import DOWN, LEFT, RIGHT, UPRIGHT
from processes import GaveUp, until

STILL_SECONDS = 2                   # after which nothing more is to come
PAINTING_SECONDS = 1                # which the shell may need to fill a screen of another shape


class Story:
    """The story of one shell, which says what was seen, and when."""

    def __init__(self, tablet, session, shell, pictures):
        self.tablet = tablet
        self.session = session
        self.shell = shell
        self.pictures = pictures
        self.start = time.monotonic()

    def tell(self):
        if hasattr(self.shell, "conditions"):
            self.shell.conditions(self)
        self.claim()
        self.poses()
        self.our_lock()
        self.our_orders()
        if self.shell.has_lock:
            self.shells_lock()
            if self.shell.has_gnomes_lock:
                self.one_lock()
        if self.shell.watches_light:
            self.light()
        self.restart()
        self.crash()

    def claim(self):
        until(lambda: len(self.tablet.claimants()) == 1, "one client has claimed the accelerometer")
        client = self.tablet.claimants()[0]
        process = self.tablet.process_of(client)
        self.expect(process == self.shell.process.pid, f"{client} ({process}) is {self.shell.name}")
        self.expect(self.tablet.proxy("HasAccelerometer"), "HasAccelerometer")
        self.say(f"{client} has claimed the accelerometer: {self.shell.name}, process {process}")
        who = self.tablet.who_turns()
        self.expect(who == f"turned by {self.tablet.command_of(process)}", f"orientationctl status: {who}")

    def poses(self):
        self.see_shown(RIGHT, "right edge up from the start")
        # Once the shell can show it.
        self.shell.open_window()
        for pose in UPRIGHT, RIGHT, DOWN, LEFT, UPRIGHT, LEFT:
            self.turn(pose)
        self.tablet.hold(0, 0, 1)
        until(lambda: self.tablet.device("OrientationName") == "faceUp", "flat")
        self.stays(LEFT, "flat")

    def our_lock(self):
        self.turn(UPRIGHT)
        self.tablet.orientationctl("lock")
        self.say("orientationctl lock")
        self.tablet.hold(*RIGHT.reading)
        self.see(lambda: self.knows(RIGHT), "right edge up, as orientationd knows")
        self.stays(UPRIGHT, "locked")
        self.expect(self.tablet.proxy("AccelerometerOrientation") == UPRIGHT.word, "AccelerometerOrientation is held, too")
        self.tablet.orientationctl("unlock")
        self.see_shown(RIGHT, "orientationctl unlock")

    def our_orders(self):
        """What a person and an app want of the interface, the shell does too."""
        self.turn(UPRIGHT)
        self.tablet.orientationctl("rotate", "landscapeLeft")
        self.see_shown(LEFT, "orientationctl rotate landscapeLeft")
        self.turn(RIGHT)
        with self.tablet.holding("landscapeLeft"):
            self.see_shown(LEFT, "held to landscapeLeft by an app")
        self.see_shown(RIGHT, "released")
        self.tablet.orientationctl("supported", "portrait")
        self.see_shown(UPRIGHT, "only portrait supported")
        self.tablet.orientationctl("supported", "all")
        self.see_shown(RIGHT, "all supported")

    def shells_lock(self):
        self.shell.lock(True)
        self.say("locked in the shell")
        if self.shell.releases_when_locked:
            self.see(lambda: not self.tablet.claimants(), "the accelerometer is released")
            self.see(lambda: self.tablet.sensor("Status") == "idle", "the sensor is at rest")
        self.tablet.hold(*DOWN.reading)
        self.stays(RIGHT, "top down")
        self.shell.lock(False)
        if self.shell.turns_when_unlocked:
            self.see_shown(DOWN, "unlocked in the shell")
        else:
            self.stays(RIGHT, "unlocked in the shell, top down since before")
            self.turn(LEFT)
            self.turn(DOWN)
        self.claim()

    def one_lock(self):
        """With orientationctl-desktop-lock, either lock is both, as long as the session lasts."""
        self.tablet.orientationctl("lock")
        self.session.start_desktop_lock(self.tablet.daemon.parent / "orientationctl-desktop-lock")
        self.see(lambda: not self.tablet.screen("RotationLocked"), "at the start, the shell's counts: unlocked")
        self.tablet.orientationctl("lock")
        self.see(self.session.is_orientation_locked, "orientationctl lock: locked in the shell, too")
        self.tablet.hold(*RIGHT.reading)
        self.stays(DOWN, "right edge up")
        self.session.lock_orientation(False)
        self.see_shown(RIGHT, "unlocked in the shell")
        self.expect(not self.tablet.screen("RotationLocked"), "orientationd is unlocked, too")
        self.claim()

    def light(self):
        self.session.setting("set", "sm.puri.phosh", "automatic-high-contrast", "true")
        self.see(lambda: len(self.tablet.claimants("Light")) == 1, "high contrast in the sun: the light sensor is claimed")
        for lux, theme in (2000, "'HighContrast'"), (100, "'Adwaita'"):
            self.tablet.shine(lux)
            self.see(lambda theme=theme: self.theme() == theme, f"{lux} lux -> {theme}")
        self.see(self.light_is_released, "the light sensor is released")

    def restart(self):
        self.tablet.end_daemon()
        self.say("orientationd ended, as by an upgrade")
        self.tablet.hold(*LEFT.reading)
        self.tablet.start_daemon()
        self.see_shown(LEFT, "started anew, left edge up")
        self.claim()
        self.restart_flat()

    def restart_flat(self):
        self.tablet.hold(0, 0, 1)
        self.tablet.end_daemon()
        self.tablet.start_daemon()
        self.claim()
        self.see(lambda: self.tablet.device("OrientationName") == "faceUp", "started anew, flat")
        self.stays(LEFT, "flat since the start")
        self.turn(UPRIGHT)

    def crash(self):
        self.shell.process.kill()
        self.see(lambda: not self.tablet.claimants(), f"{self.shell.name} killed: its claim is gone")
        self.expect(self.tablet.who_turns() == "nothing turns it at present", "orientationctl status")
        self.see(lambda: self.tablet.sensor("Status") == "idle", "the sensor is at rest")

    # What these are told in.

    def say(self, text):
        print(f"{time.monotonic() - self.start:6.2f} s  {text}", flush=True)

    def expect(self, holds, text):
        if not holds:
            raise GaveUp(f"not so: {text}")

    def see(self, holds, text):
        """Wait for what has to come, and say that it came."""
        until(holds, text)
        self.say(text)

    def see_shown(self, pose, why):
        """Wait for the shell to show a pose."""
        wanted = self.shell.shows[pose.word]
        self.see(lambda: self.shell.now() == wanted, f"{why} -> {wanted}")

    def turn(self, pose):
        """Turn the tablet; the shell has to follow."""
        self.tablet.hold(*pose.reading)
        until(lambda: self.tablet.proxy("AccelerometerOrientation") == pose.word, f"{pose.name}: {pose.word}")
        self.see_shown(pose, f"{pose.name:14} -> {pose.word:9}")
        if self.pictures:
            time.sleep(PAINTING_SECONDS)
            self.shell.screenshot(self.pictures / f"{pose.word}.png")

    def unclaimed(self, why):
        """Nobody must claim the accelerometer."""
        time.sleep(STILL_SECONDS)
        self.expect(not self.tablet.claimants(), f"{why}: no claim")
        self.say(f"{why}: not claimed after {STILL_SECONDS} s")

    def ignores(self, why):
        """The shell must have claimed the accelerometer, and not turn with the tablet."""
        self.tablet.hold(*DOWN.reading)
        until(lambda: self.tablet.proxy("AccelerometerOrientation") == DOWN.word, "top down")
        self.stays(UPRIGHT, f"{why}, top down")
        self.tablet.hold(*RIGHT.reading)
        until(lambda: self.tablet.proxy("AccelerometerOrientation") == RIGHT.word, "right edge up")
        self.stays(UPRIGHT, f"{why}, right edge up")

    def stays(self, pose, why):
        """The shell must not turn any more."""
        wanted = self.shell.shows[pose.word]
        end = time.monotonic() + STILL_SECONDS
        while time.monotonic() < end:
            now = self.shell.now()
            self.expect(now == wanted, f"{why}: {now}, not {wanted}")
            time.sleep(0.05)
        self.say(f"{why}: still {wanted} after {STILL_SECONDS} s")

    def knows(self, pose):
        """Whether orientationd has noticed by now how the tablet is held, be it locked or not."""
        # The chip reads the negative of the screen's axes.
        return all(abs(value + 9.81 * axis) < 1 for value, axis in zip(self.tablet.gravity()[:2], pose.reading))

    def light_is_released(self):
        """Ask for this, and say whether the shell has done it.

        The shell writes the file of the settings, too, when it changes its theme, and may overwrite what we have just set.
        """
        self.session.setting("set", "sm.puri.phosh", "automatic-high-contrast", "false")
        return not self.tablet.claimants("Light")

    def theme(self):
        return self.session.setting("get", "org.gnome.desktop.interface", "gtk-theme")
