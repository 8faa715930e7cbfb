# SPDX-License-Identifier: Apache-2.0
"""orientationctl follow turns the panel of an X server, and with it the touchscreen and the pen on the panel's glass."""
import subprocess
import tempfile
import time
from pathlib import Path

import packages
import process_figures
from hid_sensor_hub import HidSensorHub
from orientationd_case import OrientationdCase
from poses import LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT, PORTRAIT_UPSIDE_DOWN
from uinput_pointer import INPUT_PROP_POINTER, Pen, Touchscreen
from waiting import BUSY, wait_until
from x_server import HEIGHT, MONITOR, MONITOR_MODE, PANEL, WIDTH, Touches, XServer, arrow

PROGRAM = "usr/libexec/orientationctl-follow-x"
POSES = {"normal": PORTRAIT, "90": LANDSCAPE_RIGHT, "180": PORTRAIT_UPSIDE_DOWN, "270": LANDSCAPE_LEFT}
# Where the arrow points on the glass, which people see upright because they hold the glass so.
ON_GLASS = {"normal": "up", "90": "left", "180": "down", "270": "right"}
POINTS = (0.1, 0.2), (0.9, 0.3), (0.4, 0.85)
LONGEST_TURN = 0.5                  # seconds: a panel that is off for longer is not only being turned, the follower says


def pixel(x, y, transform):
    """Which pixel of what the panel shows is at a point of the glass."""
    x, y = x * WIDTH, y * HEIGHT
    return {"normal": (x, y), "90": (HEIGHT - y, x), "180": (WIDTH - x, HEIGHT - y), "270": (y, WIDTH - x)}[transform]


class FollowerUnderX(OrientationdCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        root = Path("/")
        if packages.FOLLOWER:
            root = cls.folder / "package"
            subprocess.run(["dpkg-deb", "--extract", packages.FOLLOWER, root], check=True, timeout=packages.TIMEOUT)
        cls.program = root / PROGRAM
        cls.server = XServer(cls.folder)
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.hub = HidSensorHub()
        self.plug_in(self.hub)
        self.hub.hold(PORTRAIT)
        self.server.start()
        self.server.arrange()
        self.follower = None

    def plug_pointer(self, pointer):
        pointer.plug()
        self.addCleanup(pointer.unplug)
        wait_until(lambda: any(name.startswith(pointer.name) for name in self.server.devices()), 20,
                   lambda: f"{pointer.name} in X: {self.server.devices()} {self.server.log.read_text()[-6000:]}")

    def follow(self, *arguments, **environment):
        self.log = self.folder / "follow.log"
        self.follower = subprocess.Popen([self.program, *arguments], env=self.server.environment | environment,
                                         stdout=subprocess.DEVNULL, stderr=self.log.open("w"))
        self.addCleanup(self.let_the_daemon_start)
        self.addCleanup(self.follower.wait)
        self.addCleanup(self.follower.kill)

    def let_the_daemon_start(self):
        """Had it to stop while it starts, the bus would wait 25 s for it, and ask for no other start meanwhile."""
        wait_until(lambda: self.service.show("SubState") != "start", 20, "the end of the daemon's start")

    def turn(self, transform):
        began = time.monotonic()
        self.hub.hold(POSES[transform])
        self.see_turned(transform)
        return time.monotonic() - began

    def see_turned(self, transform):
        wait_until(lambda: self.server.panel().rotation == transform and self.server.panel().is_on, 10,
                   lambda: f"{transform}: {self.server.panel()}, {self.log.read_text()}")
        self.assertIsNone(self.follower.poll(), self.log.read_text())

    def ends(self, status, words, timeout=10):
        self.assertEqual(self.follower.wait(BUSY * timeout), status, self.log.read_text())
        self.assertRegex(self.log.read_text().replace("\n", " "), words)

    def check_screen(self, transform):
        width, height = (HEIGHT, WIDTH) if transform in ("90", "270") else (WIDTH, HEIGHT)
        outputs = self.server.outputs()
        self.assertEqual(outputs[PANEL].area, (0, 0, width, height))
        self.assertEqual(outputs[MONITOR].area, (width, 0, *MONITOR_MODE))
        self.assertEqual(outputs[MONITOR].rotation, "normal")
        size = width + MONITOR_MODE[0], max(height, MONITOR_MODE[1])
        wait_until(lambda: self.server.size() == size, what=lambda: f"{size}, not {self.server.size()}")
        pixels_of_millimetre = [pixels / length for pixels, length in zip(size, self.server.millimetres())]
        self.assertAlmostEqual(pixels_of_millimetre[1], self.pixels_of_millimetre, delta=0.05)
        self.assertAlmostEqual(pixels_of_millimetre[0], self.pixels_of_millimetre, delta=0.05)

    def check_touch(self, touchscreen, transform):
        for point in POINTS:
            place, wanted = self.place_of_touch(touchscreen, point), pixel(*point, transform)
            self.assertTrue(all(abs(a - b) < 2 for a, b in zip(place, wanted)), f"{transform}: {point} at {place}, not {wanted}")

    def place_of_touch(self, touchscreen, point):
        with Touches() as touches:
            touchscreen.touch(*point)
            return touches.next()

    def see_mapped(self, touchscreen, transform):
        """The follower hears of a touchscreen when programs may have begun to use it."""
        def place():
            return self.place_of_touch(touchscreen, POINTS[0])

        wanted = pixel(*POINTS[0], transform)
        wait_until(lambda: all(abs(a - b) < 2 for a, b in zip(place(), wanted)), 5, lambda: f"at {place()}, not {wanted}")

    def check_pen(self, pen, transform):
        for point in POINTS:
            wanted = pixel(*point, transform)
            self.assertTrue(any(self.pen_is_at(wanted, pen, point) for _ in range(4)),
                            f"{transform}: pen {point} at {self.server.pointer()}, not {wanted}")

    def pen_is_at(self, wanted, pen, point):
        """A busy X server may take a short touch for none. From elsewhere, because the kernel drops what is as before."""
        pen.touch(0.5, 0.5)
        pen.touch(*point)
        try:
            wait_until(lambda: all(abs(a - b) < 3 for a, b in zip(self.server.pointer(), wanted)), 8 / BUSY, "the pen")
        except TimeoutError:
            return False
        return True

    def check_glass(self, transform):
        window = self.server.draw_arrow()
        try:
            wait_until(lambda: arrow(self.server.glass()) == ON_GLASS[transform], 10,
                       lambda: f"an arrow that points {ON_GLASS[transform]} on the glass, not {arrow(self.server.glass())}")
            picture = self.server.glass()
            self.assertEqual((picture.width, picture.height), (WIDTH, HEIGHT))
        finally:
            window.destroy()

    def test_turns_picture_and_touch_and_pen_together(self):
        screen, pen = Touchscreen(), Pen()
        self.plug_pointer(screen)
        self.plug_pointer(pen)
        self.pixels_of_millimetre = self.server.size()[1] / self.server.millimetres()[1]
        self.follow("--output", PANEL)
        times = []
        for transform in "270", "normal", "90", "180", "270", "90", "normal":
            times.append(self.turn(transform))
            self.check_screen(transform)
            self.check_touch(screen, transform)
            self.check_pen(pen, transform)
            self.check_glass(transform)
        print(f"      turned after {sorted(times)[len(times) // 2]:.2f} s (median); "
              f"the X server started in {self.server.seconds_to_start:.1f} s")
        self.turn("90")
        self.follower.terminate()
        self.assertEqual(self.follower.wait(BUSY * 5), 0)
        self.check_touch(screen, "90")      # picture and touch stay as they are, together
        self.check_screen("90")

    def test_maps_a_touchscreen_that_is_plugged_in_later_but_no_drawing_tablet(self):
        self.follow("--output", PANEL)
        self.turn("90")
        screen, tablet = Touchscreen("late touchscreen"), Pen("drawing tablet", INPUT_PROP_POINTER)
        self.plug_pointer(screen)
        self.plug_pointer(tablet)
        self.see_mapped(screen, "90")
        self.check_touch(screen, "90")
        width, height = self.server.size()
        self.assertTrue(any(self.pen_is_at((width * 0.75, height / 4), tablet, (0.75, 0.25)) for _ in range(4)),
                        f"not the whole screen for a tablet that is not on the panel: {self.server.pointer()} of {width}x{height}")
        self.turn("180")
        self.see_mapped(screen, "180")      # after the picture
        self.check_touch(screen, "180")

    def test_turns_a_panel_that_is_narrower_than_the_narrowest_screen(self):
        self.server.show_only_a_small_panel(320, 240)
        self.follow("--output", PANEL)
        for transform, size in ("90", (240, 320)), ("normal", (320, 240)), ("270", (240, 320)):
            self.turn(transform)
            self.assertEqual(self.server.panel().area, (0, 0, *size))
        self.assertEqual(self.server.size(), (320, 320))

    def test_leaves_a_touchscreen_on_the_monitor_that_it_was_mapped_to(self):
        screen = Touchscreen("the monitor's touchscreen")
        self.plug_pointer(screen)
        self.follow("--output", PANEL)
        self.turn("normal")
        self.server.map(screen.name, MONITOR)
        for transform in "90", "normal":
            self.turn(transform)
            self.server.switch_off_and_on(MONITOR)
            left, top, width, height = self.server.outputs()[MONITOR].area
            place, wanted = self.place_of_touch(screen, (0.25, 0.5)), (left + width / 4, top + height / 2)
            self.assertTrue(all(abs(a - b) < 2 for a, b in zip(place, wanted)), f"{transform}: at {place}, not {wanted}")

    def test_applies_again_and_gives_up_against_another_program(self):
        self.follow("--output", PANEL)
        self.turn("90")
        seconds_off = [self.server.turn("normal", seconds_off=0.05)]
        self.see_turned("90")
        end = time.monotonic() + 60
        while self.follower.poll() is None and time.monotonic() < end:
            if self.server.panel().rotation == "90":
                seconds_off.append(self.server.turn("180"))
        self.ends(69, f"something else turns {PANEL}, too")
        print(f"      off for {max(seconds_off):.2f} s at most", flush=True)
        # A busy guest may take longer, and then it is off; and the follower sees it for a little longer than this test.
        if max(seconds_off) < LONGEST_TURN / 2:
            self.assertNotIn("is off", self.log.read_text())

    def test_waits_for_a_panel_that_is_off(self):
        self.follow("--output", PANEL)
        self.turn("270")
        self.server.turn("normal", seconds_off=2)
        self.see_turned("270")
        self.assertIn(f"{PANEL} is off; waiting for it", self.log.read_text())

    def test_ends_with_the_server(self):
        self.follow("--output", PANEL)
        self.turn("90")
        self.server.kill()
        self.ends(1, "the X server has ended")

    def test_is_at_rest_between_turns(self):
        self.follow("--output", PANEL)
        self.turn("90")
        self.turn("normal")
        time.sleep(2)
        counter = process_figures.WorkCounter(self.follower.pid)
        time.sleep(10)
        self.assertEqual(counter.work.wake_ups, 0)
        memory = process_figures.memory(self.follower.pid)
        print(f"      at rest under X: no wake-ups in 10 s, {memory.resident} kB resident, {memory.anonymous} kB of it anonymous")

    def test_says_why_it_does_not_follow(self):
        for status, words, arguments, environment in (
                (69, rf"name it:\s+orientationctl follow --output NAME\s+outputs: {PANEL}, {MONITOR}", (), {}),
                (69, "GNOME turns the screen itself", ("--output", PANEL), {"XDG_CURRENT_DESKTOP": "GNOME"}),
                (69, "KDE Plasma turns the screen itself", ("--output", PANEL), {"XDG_CURRENT_DESKTOP": "KDE"}),
                (1, "cannot connect to the X server :99", ("--output", PANEL), {"DISPLAY": ":99"})):
            with self.subTest(words=words):
                self.follow(*arguments, **environment)
                self.ends(status, words)
