#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""screenshot.py DAEMON FILE.png: shows examples/gtk4/rotating-picture.py in three moments of a real session.

The daemon turns its simulated tablet on a private bus, and Xvfb is the screen. The driver of the tests uses the window.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import cairo

DRIVER = pathlib.Path(__file__).resolve().parents[1] / "Tests/Support/WindowDriver/drive.py"
# What the window shows in each moment, and what is clicked on then.
MOMENTS = [
    ("portrait: tablet up, picture up, lock off, no button", "lock"),
    ("portrait, rotation locked: tablet left, picture left, lock on, Rotate?", "rotate"),
    ("portrait, rotation locked: tablet left, picture up, lock on, no button", "lock"),
]
GAP = 16

BUS = """<busconfig>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"""


class Session:
    """A bus, the daemon, a screen and the window."""

    def __init__(self, folder, daemon):
        self.folder = folder
        self.started = []
        self.environment = dict(
            os.environ, DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/bus", HOME=folder, GDK_BACKEND="x11",
            GSK_RENDERER="cairo", GTK_A11Y="none", GSETTINGS_BACKEND="memory", GTK_THEME="Adwaita")
        with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
            file.write(BUS.format(folder=folder))
        self.start("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile")
        while not os.path.exists(f"{folder}/bus"):
            time.sleep(0.05)
        self.start(daemon, "--sensor", "simulated", "--config", "/dev/null")
        server = self.start(
            "Xvfb", "-displayfd", "1", "-fbdir", folder, "-screen", "0", "800x600x24", "-nolisten", "tcp",
            stdout=subprocess.PIPE)
        self.environment["DISPLAY"] = f":{server.stdout.readline().strip()}"
        self.window = self.start(
            "/usr/bin/python3", DRIVER, f"{folder}/Xvfb_screen0", stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, *words, **files):
        process = subprocess.Popen(words, env=self.environment, text=True, stderr=subprocess.DEVNULL, **files)
        self.started.append(process)
        return process

    def end(self):
        for process in reversed(self.started):
            process.terminate()
            process.wait()

    def wait(self, line):
        for shown in self.window.stdout:
            if shown.rstrip("\n") == line:
                return
        raise SystemExit("screenshot: the window has not shown: " + line)

    def say(self, command):
        self.window.stdin.write(command + "\n")
        self.window.stdin.flush()

    def pictures(self):
        for number, (line, button) in enumerate(MOMENTS):
            self.wait(line)
            file = f"{self.folder}/{number}.png"
            self.say(f"save {file}")
            self.wait(f"saved {file}")
            self.say(button)
            yield cairo.ImageSurface.create_from_png(file)


def main():
    daemon, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        session = Session(folder, os.path.abspath(daemon))
        try:
            pictures = list(session.pictures())
        finally:
            session.end()
    widths = [picture.get_width() for picture in pictures]
    whole = cairo.ImageSurface(
        cairo.FORMAT_ARGB32, sum(widths) + GAP * (len(widths) - 1), max(picture.get_height() for picture in pictures))
    context = cairo.Context(whole)
    for number, picture in enumerate(pictures):
        context.set_source_surface(picture, sum(widths[:number]) + GAP * number, 0)
        context.paint()
    whole.write_to_png(target)


if __name__ == "__main__":
    main()
