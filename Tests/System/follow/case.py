# SPDX-License-Identifier: Apache-2.0
"""A tablet with orientationd, a compositor, and `orientationctl follow`, which the checks use together."""
import re
import subprocess
import time

import arrow
from compositor import HEIGHT, WIDTH
from processes import GaveUp, until

STILL_SECONDS = 1.5                 # after which nothing more is to come
# How the tablet is held, in g, as iio-sensor-proxy takes it without a mount matrix, and the transform for it.
POSES = {"normal": (0, -1, 0), "90": (1, 0, 0), "180": (0, 1, 0), "270": (-1, 0, 0)}


class Case:
    """What is there in a check, and what can be said of it."""

    def __init__(self, processes, tablet, tool, kept, kind):
        self.processes = processes
        self.tablet = tablet
        self.tool = tool
        self.kept = kept
        self.kind = kind            # of compositor
        self.compositor = None
        self.follower = None
        self.start = time.monotonic()
        self._followers = 0
        self._picture = processes.folder / "arrow.png"
        arrow.draw(self._picture)

    def open_desktop(self, scale=1):
        """Start the compositor, with the arrow on its outputs."""
        self.compositor = self.kind(self.processes, self.tablet.environment, scale)
        self.compositor.show(self._picture)

    def command(self, *arguments, environment=None):
        """Start `orientationctl follow`; return the process and the name of its log."""
        self._followers += 1
        name = f"follow-{self._followers}"
        environment = (self.compositor.environment if self.compositor else self.tablet.environment) | (environment or {})
        return self.processes.start(name, self.tool, "follow", *arguments, environment=environment), name

    def follow(self, **environment):
        """Start to follow on the panel."""
        self.follower, self.log = self.command("--output", self.compositor.panel_name, environment=environment)

    def end_following(self):
        """End it as the session's end does; it has to obey."""
        self.follower.terminate()
        self.expect(self.follower.wait(timeout=5) == 0, "the exit status after SIGTERM is 0")

    def refused(self, status, words, *arguments, **environment):
        """It must end by itself, and say why."""
        process, log = self.command(*arguments, environment=environment)
        self.ended(process, log, status, words)

    def ended(self, process, log, status, words):
        """Wait for its end."""
        began = time.monotonic()
        until(lambda: process.poll() is not None, "orientationctl follow ends")
        text = " ".join(self.processes.log(log))
        self.expect(process.returncode == status, f"exit status {process.returncode}, not {status}: {text}")
        self.expect(re.search(words, text), f"it says {words!r}, not: {text}")
        self.say(f"ended with {status} after {time.monotonic() - began:.2f} s: {text[:150]}")

    def requests(self):
        """How often it has asked the compositor for a change, if it was started with WAYLAND_DEBUG."""
        return sum(".apply()" in line for line in self.processes.log(self.log))

    # What the tablet and the desktop are like.

    def turn(self, transform):
        """Turn the tablet; the panel has to follow."""
        self.tablet.hold(*POSES[transform])
        self.see_turned(transform)

    def see_turned(self, transform, why=""):
        """Wait for the panel to have a transform, and check that all else is as it has to be."""
        began = time.monotonic()
        until(lambda: self.compositor.panel().transform == transform, f"transform {transform} {why}")
        self.say(f"transform {transform} after {time.monotonic() - began:.2f} s {why}")
        self.alive()
        self.check_outputs()

    def check_outputs(self):
        """Modes and scales stay, and the monitor is at the right edge of the panel."""
        outputs = self.compositor.outputs()
        panel, monitor = outputs[self.compositor.panel_name], outputs[self.compositor.monitor_name]
        self.expect(panel.mode == f"{WIDTH}x{HEIGHT}", f"the panel's mode: {panel}")
        self.expect(panel.enabled and panel.position == (0, 0), f"the panel: {panel}")
        if monitor.enabled:
            width = HEIGHT if panel.transform in ("90", "270") else WIDTH
            self.expect(monitor.position == (int(width / panel.scale), 0), f"the monitor's position: {outputs}")
            self.expect(monitor.mode == "1280x720" and monitor.transform == "normal", f"the monitor: {monitor}")

    def stays(self, transform, why):
        """The panel must not turn any more."""
        end = time.monotonic() + STILL_SECONDS
        while time.monotonic() < end:
            now = self.compositor.panel().transform
            self.expect(now == transform, f"{why}: {now}, not {transform}")
            time.sleep(0.05)
        self.say(f"{why}: still {transform} after {STILL_SECONDS} s")

    def see_arrow(self, name):
        """The arrow stands upright in a picture of the turned size."""
        file = (self.kept or self.processes.folder) / f"{name}.png"
        panel = self.compositor.panel()
        width, height = (HEIGHT, WIDTH) if panel.transform in ("90", "270") else (WIDTH, HEIGHT)

        def upright():
            self.compositor.photograph(file)
            (wide, high), direction = arrow.look(file)
            # With a fractional scale, grim rounds to whole points.
            return abs(wide - width) <= panel.scale and abs(high - height) <= panel.scale and direction == "up"

        until(upright, lambda: f"an arrow that points up in {width}x{height}, not {arrow.look(file) if file.exists() else '?'}")
        self.say(f"the arrow stands upright in {width}x{height} ({file.name})")

    def alive(self):
        """It must not have ended."""
        self.expect(self.follower.poll() is None, f"it runs: {self.processes.log(self.log)}")

    # How checks report.

    def say(self, text):
        print(f"{time.monotonic() - self.start:6.2f} s  {text}", flush=True)

    def expect(self, holds, text):
        if not holds:
            raise GaveUp(f"not so: {text}")

    def run(self, *command):
        """Run a program to its end, as the tablet's user does; return its result."""
        return subprocess.run([*map(str, command)], env=self.tablet.environment, capture_output=True, text=True,
                              check=False)
