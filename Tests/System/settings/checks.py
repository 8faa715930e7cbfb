# SPDX-License-Identifier: Apache-2.0
"""What the window must do, check by check: each has a machine and a desktop, and starts its window."""
import itertools
import os
import subprocess
import time

from desktop import Compositor, Window
from processes import GaveUp, until

STEPS = ["upright", "flat", "right edge up"]
SIZES = [(360, 640), (640, 400), (320, 320), (1280, 800)]
RIGHT_MATRIX = "0, -1, 0; 1, 0, 0; 0, 0, 1"
PORTRAIT, LANDSCAPE_RIGHT = 1, 4
TRIAL_SECONDS, REPORT_SECONDS = 15, 20
# What the daemon takes these poses for, before the chip is calibrated.
UNTURNED = {"upright": 3, "flat": 5}


def seen(what):
    """Print what was seen."""
    print(f"  {what}", flush=True)


def expect(what, is_true):
    """Give up unless it is true."""
    if not is_true:
        raise GaveUp(f"wrong: {what}")
    seen(what)


class Scene:
    """The machine, the desktop, and what starts windows."""

    def __init__(self, tablet, desktop, program, kept):
        self.tablet, self.desktop, self.program, self.kept = tablet, desktop, program, kept

    def window(self, **options):
        """Start the window."""
        return Window(self.desktop, self.program, self.tablet, **options)

    def keep(self, name):
        """Keep a picture of the screen."""
        if self.kept:
            time.sleep(1)       # What moves has arrived.
            self.desktop.picture(self.kept / f"{name}.png")

    def take_poses(self, window, number):
        """Hold the tablet in the first poses, as the window says."""
        window.sees("Three poses")
        window.press("Begin")
        for step, pose in enumerate(STEPS[:number], 1):
            window.sees(f"Pose {step} of 3: {pose}")
            self.tablet.hold_so(pose)
            self.keep(f"pose-{step}")
            window.press("I hold it so")
        if number < len(STEPS):
            window.sees(f"Pose {number + 1} of 3")
            window.find("I hold it so")
            until(lambda: self.tablet.screen("InterfaceOrientation") == PORTRAIT, "the panel's own orientation during the poses")


def shows_and_locks(scene):
    """What the home page tells, and the lock."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("kxcjk1013")
    window.sees("Nothing turns it")
    window.press("Rotation lock")
    until(lambda: scene.tablet.screen("RotationLocked"), "the lock")
    seen("a click on its row locks rotation")
    window.sees("Locked: the screen stays as with the")
    scene.tablet.orientationctl("unlock")
    window.press("Rotation lock")
    until(lambda: scene.tablet.screen("RotationLocked"), "the lock, after another program has unlocked")
    seen("the switch follows other programs")
    window.press("How readily it turns")
    window.press("Calm")
    until(lambda: scene.tablet.screen("Responsiveness") == "calm", "a calm screen")
    seen("how readily the screen turns can be chosen")
    window.press("Calibrate")
    window.sees("Unlock rotation first")
    scene.tablet.orientationctl("unlock")
    until(lambda: not scene.tablet.screen("RotationLocked"), "no lock")
    seen("while rotation is locked, nothing is calibrated")
    for name, below in (("Calibrate", -23), ("Save a report", 23)):
        window.press(name, below=below)
        window.press("Cancel", below=below)
        window.sees("If the screen turns the wrong way")
    seen("rows and buttons have 48 pixels: a press at their edges counts")


def calibrates(scene):
    """A quarter turn is found, tried out, kept, and right."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("edge up")
    expect("the screen is wrong before", scene.tablet.screen("InterfaceOrientation") != PORTRAIT)
    window.press("Calibrate")
    scene.take_poses(window, 3)
    window.sees("Is the screen right now?")
    expect("the new mounting is on trial", scene.tablet.sensor("MountMatrixSource") == "preview")
    scene.tablet.hold_so("upright")
    scene.keep("trial")
    window.press("Keep")
    window.sees("is kept")
    expect("it is kept", scene.tablet.sensor("MountMatrixSource") == "calibration")
    window.sees("Top edge up")
    for pose, orientation in (("upright", PORTRAIT), ("left edge up", LANDSCAPE_RIGHT), ("upright", PORTRAIT)):
        scene.tablet.hold_so(pose)
        until(lambda o=orientation: scene.tablet.device("Orientation") == o, f"the screen for {pose}")
    seen("the screen is right afterwards")
    window.press("Calibrate")
    scene.take_poses(window, 3)
    window.sees("right already")
    expect("a second calibration changes nothing", scene.tablet.sensor("MountMatrixSource") == "calibration")
    window.press("Forget the calibration")
    window.press("Forget")
    window.sees("The calibration is forgotten")
    expect("it is forgotten", scene.tablet.sensor("MountMatrixSource") == "")


def cancels(scene):
    """At each step it can be ended, and nothing is changed."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("edge up")
    before = scene.tablet.sensor("MountMatrix")
    window.press("Calibrate")
    window.sees("Three poses")
    window.press("Cancel")
    for number in range(3):
        window.press("Calibrate")
        scene.take_poses(window, number)
        window.press("Cancel")
        window.sees("If the screen turns the wrong way")
    window.press("Calibrate")
    scene.take_poses(window, 0)
    window.press("I hold it so")
    window.press("Cancel")          # While it counts down.
    window.sees("If the screen turns the wrong way")
    expect("ends at each pose", scene.tablet.sensor("MountMatrix") == before)
    for end in (lambda: window.press("Undo"), lambda: None):
        window.press("Calibrate")
        scene.take_poses(window, 3)
        window.sees("Is the screen right now?")
        expect("the trial has begun", scene.tablet.sensor("MountMatrix") != before)
        end()
        until(lambda: scene.tablet.sensor("MountMatrix") == before, "the mounting from before", TRIAL_SECONDS + 5)
        window.sees("If the screen turns the wrong way")
    window.press("Calibrate")
    scene.take_poses(window, 3)
    window.sees("Is the screen right now?")
    window.close()
    until(lambda: scene.tablet.sensor("MountMatrix") == before, "the mounting from before, after the window has ended")
    expect("turns back: asked to, after the time, and when the window ends", scene.tablet.sensor("MountMatrixSource") == "")


def refuses_bad_poses(scene):
    """A pose that contradicts another one is asked for again, with the reason."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("edge up")
    window.press("Calibrate")
    scene.take_poses(window, 1)
    window.press("I hold it so")    # Still upright.
    window.sees("reads nearly the same as upright")
    scene.keep("refused")
    seen("says why")
    window.press("I hold it so")
    poses = itertools.cycle(["flat", "upright"])

    def is_told():
        scene.tablet.hold_so(next(poses))
        return any("it moves too much" in text for text in window.texts())
    until(is_told, "a word while it moves too much")
    seen("says that it moves too much")


def fits_small_screens(scene):
    """However small the window is, the picture is there and the buttons are within it, at each step."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("edge up")

    def fits(page, *names):
        for size in SIZES:
            window.resize(*size)
            until(lambda: all(window.is_whole(name) for name in names),
                  lambda s=size: f"{page} in a window of {s}: {[(name, window.box_of(name)) for name in names]}")
            scene.keep(f"{page}-{size[0]}x{size[1]}")
    fits("home", "The tablet as it is held")
    window.press("Calibrate")
    fits("three-poses", "The tablet in this pose", "Cancel", "Begin")
    scene.take_poses(window, 1)
    window.press("I hold it so")    # Still upright.
    window.sees("reads nearly the same as upright")
    fits("refused-pose", "The tablet in this pose", "Cancel", "I hold it so")
    window.press("Cancel")
    window.press("Calibrate")
    scene.take_poses(window, 3)
    window.sees("Is the screen right now?")
    window.resize(*SIZES[1])
    until(lambda: all(window.is_whole(name) for name in ("The tablet in this pose", "Undo", "Keep")), "the trial in a small window")
    seen("the picture and the buttons are whole")


def names_the_edges_of_the_panel(scene):
    """On a panel that is wider than high, the words are those of the poses."""
    (scene.tablet.processes.folder / "orientationd.conf").write_text("SensorProxy=yes\nNaturalOrientation=landscapeLeft\n")
    scene.tablet.start_daemon()
    scene.tablet.call("SetMountMatrix", RIGHT_MATRIX)
    window = scene.window()
    window.sees("Top edge up")
    scene.keep("landscape-panel")
    scene.tablet.hold_so("right edge up")
    window.sees("Right edge up")
    window.press("Calibrate")
    window.sees("Three poses")
    scene.keep("landscape-panel-three-poses")
    scene.take_poses(window, 3)
    window.sees("right already")
    seen("upright is with the panel's top edge up, in the poses and at home")


def survives_the_daemon(scene):
    """Without a daemon, and while one comes and goes."""
    window = scene.window()
    window.sees("Waiting for orientationd")
    scene.keep("waiting")
    scene.tablet.start_daemon()
    window.sees("kxcjk1013")
    seen("goes on when the daemon starts")
    window.press("Calibrate")
    scene.take_poses(window, 1)
    scene.tablet.end_daemon()
    window.sees("Waiting for orientationd")
    scene.tablet.start_daemon()
    window.sees("If the screen turns the wrong way")
    seen("a calibration ends with the daemon")
    window.press("Calibrate")
    window.sees("Three poses")


def lacks_permission(scene):
    """Polkit refuses all."""
    scene.tablet.allow(False)
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("only the session on the screen may read motion")
    window.sees("This session may not change it")
    scene.keep("refused-all")
    window.press("Calibrate")
    window.press("Begin")
    window.press("I hold it so")
    window.sees("only the session on the screen may read motion")
    window.press("Cancel")
    window.sees("If the screen turns the wrong way")
    expect("says what is not allowed", not scene.tablet.screen("RotationLocked"))


def bears_a_hostile_daemon(scene):
    """Long texts, markup, control characters, and matrices that are singular, not finite or huge."""
    for matrix in ("0, 0, 0; 0, 0, 0; 0, 0, 0", "nan, 0, 0; 0, inf, 0; 0, 0, 1", 10_000 * "9" + ", 0, 0; 0, 1, 0; 0, 0, 1"):
        scene.tablet.pretend(matrix)
        window = scene.window()
        window.sees("If the screen turns the wrong way")
        window.sees("<b>&")
        longest = max(map(len, window.texts()))
        expect(f"shows at most {longest} characters of a text", longest < 2000)
        window.press("Rotation lock")
        window.sees("The lock stays as it is")
        window.press("Calibrate")
        window.sees("does not tell how the sensor sits in the tablet")
        window.close()


def saves_a_report(scene):
    """It is recorded, shown, saved, and read again; on a full disk nothing is left."""
    scene.tablet.start_daemon()
    folder = scene.tablet.processes.folder
    full = folder / "full"
    full.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", full], check=True)
    scene.tablet.processes.callback(lambda: subprocess.run(["umount", full], check=True))
    window = scene.window()
    window.press("Save a report")
    window.sees("no serial numbers")
    window.press("Record")
    window.sees("1 of 20 s")
    for pose in ("flat", "upright"):
        scene.tablet.hold_so(pose)
        orientation = UNTURNED[pose]
        until(lambda o=orientation: scene.tablet.device("Orientation") == o, f"the orientation {pose}")
    scene.tablet.end_daemon()       # a report may be about that
    window.sees("This is in the report", seconds=REPORT_SECONDS + 10)
    window.sees("CONTRIBUTING.md")
    scene.keep("report")
    for target in (full, folder):
        window.press("Save…")
        window.find("Name")
        window.desktop.xdotool("key", "ctrl+a")
        window.desktop.xdotool("type", "--delay", 20, f"{target}/report.csv")
        window.desktop.xdotool("key", "Return")
        if target == full:
            window.sees("Not saved:")
            expect("on a full disk, it says so, and leaves nothing", os.listdir(full) == [])
    window.sees("The report is saved")
    window.sees("Waiting for orientationd")
    text = (folder / "report.csv").read_text()
    expect("it has the status and the sensors", "# orientationctl status" in text and "# orientationctl sensors" in text)
    classified = scene.tablet.orientationctl("classify", folder / "report.csv")
    expect(f"orientationctl classify reads it: {classified.splitlines()[-1]}", len(classified.splitlines()) >= 2)


def rests_while_hidden(scene):
    """No wake-ups while nobody can see it."""
    scene.tablet.start_daemon()
    window = scene.window()
    window.sees("edge up")
    shown = window.wake_ups(3)
    scene.desktop.xdotool("windowunmap", "--sync", window.id)
    until(lambda: window.wake_ups(3) == 0, "3 s without a wake-up while it is hidden", 30)
    seen(f"wake-ups in 3 s: {shown} while it is shown, none while it is hidden; {window.memory()} kB by proportional share")
    until(lambda: not scene.tablet.device("GeneratesDeviceOrientationNotifications"), "the sensor's rest")
    scene.desktop.xdotool("windowmap", "--sync", window.id)
    until(lambda: scene.tablet.device("GeneratesDeviceOrientationNotifications"), "the sensor, when it is shown again")
    scene.tablet.allow(False)       # As when another session is on the screen.
    window.sees("only the session on the screen may read motion")
    scene.desktop.xdotool("windowunmap", "--sync", window.id)
    until(lambda: not scene.tablet.device("GeneratesDeviceOrientationNotifications"), "the sensor's rest without readings")
    seen("the sensor rests while the window is hidden, also if no readings come")


def starts_quickly(scene):
    """Beside gtk4-demo."""
    scene.tablet.start_daemon()
    demo = scene.desktop.processes.start
    times = {"gtk4-demo": [], "orientation-settings": []}
    for number in range(5):
        began = time.monotonic()
        process = demo(f"demo-{number}", "gtk4-demo", environment=scene.desktop.environment | {"G_DEBUG": ""})
        until(lambda p=process: scene.desktop.xdotool("search", "--onlyvisible", "--pid", p.pid), "gtk4-demo")
        times["gtk4-demo"].append(time.monotonic() - began)
        process.terminate()
        process.wait()
        window = scene.window()
        times["orientation-settings"].append(window.seconds_to_map)
        window.close()
    middle = {name: sorted(values)[2] for name, values in times.items()}
    seen("seconds until the window is there: " + ", ".join(f"{name} {value:.2f}" for name, value in middle.items()))


def turns_with_the_screen(scene):
    """On phoc, whose output follows the tablet: narrow and wide, light and dark."""
    scene.tablet.start_daemon()
    scene.tablet.call("SetMountMatrix", RIGHT_MATRIX)
    compositor = Compositor(scene.desktop, scene.tablet.processes)
    scene.tablet.processes.start("follow", scene.tablet.tool, "follow", "--output", compositor.OUTPUT, environment=scene.tablet.environment | compositor.environment)
    for style in ("default", "prefer-dark"):
        window = Window(compositor, scene.program, scene.tablet, environment={"ADW_DEBUG_COLOR_SCHEME": style})
        window.sees("orientationctl follow")
        for pose in ("upright", "left edge up", "upright"):
            scene.tablet.hold_so(pose)
            is_wide = pose != "upright"

            def is_laid_out(wide=is_wide):
                picture, rows = window.place_of("The tablet as it is held"), window.place_of("Rotation lock")
                return (rows.x > picture.x + picture.width / 2) == wide and window.place_of("Screen rotation").width > 380
            until(is_laid_out, f"the layout for {pose}")
            if scene.kept:
                time.sleep(1)
                compositor.picture(scene.kept / f"phoc-{style}-{'wide' if is_wide else 'narrow'}.png")
        window.press("Rotation lock")
        until(lambda: scene.tablet.screen("RotationLocked"), "the lock, by a press on phoc")
        scene.tablet.orientationctl("unlock")
        window.close()
    seen("its layout follows the screen, in both styles, and a press is where the finger is")


CHECKS = [turns_with_the_screen, shows_and_locks, calibrates, cancels, refuses_bad_poses, fits_small_screens,
          names_the_edges_of_the_panel, survives_the_daemon, lacks_permission, bears_a_hostile_daemon, saves_a_report,
          rests_while_hidden, starts_quickly]
