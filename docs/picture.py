#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""picture.py DAEMON TOOL FILE.svg: draws two terminals with a real session.

The daemon turns its simulated tablet on a private bus. `orientationctl monitor` runs in one terminal. In the other one,
rotation is locked, and unlocked after the next turn. All lines are shown for some seconds, and then each line appears at
its time. If the viewer does not support animations, all lines are shown.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from html import escape

# What is typed in the second terminal, and when: seconds from the start of the monitor. The tablet's turns end 4 s apart.
TYPED = [(9.2, "lock"), (14.0, "unlock")]
END = 17.5
# How long all of it is shown.
PAUSE = 5

COLUMNS = 66
CHARACTER, LINE, MARGIN, BAR = 8.43, 21, 16, 30
BACKGROUND, FRAME, TEXT, DIM, ACCENT = "#11161d", "#2b3440", "#d5dce6", "#7d8896", "#7ee2a8"

BUS = """<busconfig>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"""

# How far the tablet is turned, clockwise, as a person sees it; flat ones are drawn apart.
TURNED = {"portrait": 0, "landscapeLeft": -90, "portraitUpsideDown": 180, "landscapeRight": 90}


class Session:
    """The lines of both terminals, each with the seconds from the start."""

    def __init__(self, daemon, tool):
        self.tool = tool
        self.monitor, self.shell = [], []
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
                file.write(BUS.format(folder=folder))
            self.environment = dict(os.environ, TZ="UTC", DBUS_SYSTEM_BUS_ADDRESS=f"unix:path={folder}/bus")
            started = [self.start("dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile")]
            try:
                self.wait(lambda: os.path.exists(f"{folder}/bus"))
                started.append(self.start(daemon, "--sensor", "simulated", "--config", "/dev/null"))
                self.wait(lambda: self.run("status").returncode == 0)
                self.record()
            finally:
                for process in reversed(started):
                    process.terminate()
                    process.wait()

    @staticmethod
    def wait(is_so):
        deadline = time.monotonic() + 10
        while not is_so():
            if time.monotonic() > deadline:
                raise SystemExit("picture: the bus or orientationd does not start")
            time.sleep(0.05)

    def run(self, command):
        return subprocess.run(
            [self.tool, command], env=self.environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def start(self, *words):
        return subprocess.Popen(words, env=self.environment, stderr=subprocess.DEVNULL)

    def record(self):
        start = time.monotonic()
        process = subprocess.Popen(
            [self.tool, "monitor", "--seconds", str(END)], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.monitor.append((0, "$ orientationctl monitor"))
        reader = threading.Thread(target=self.read, args=(process, start))
        reader.start()
        for when, command in TYPED:
            time.sleep(start + when - time.monotonic())
            self.shell.append((when, f"$ orientationctl {command}"))
            answer = self.run(command).stdout
            self.shell += [(time.monotonic() - start, line) for line in answer.splitlines()]
        reader.join()
        if process.wait() != 0:
            raise SystemExit("picture: the monitor failed")

    def read(self, process, start):
        for line in process.stdout:
            self.monitor.append((time.monotonic() - start, line.rstrip("\n")))


def tablet(name, x, y):
    """A small tablet, as it is held."""
    place = f'<g transform="translate({x:.1f} {y:.1f})'
    if name in TURNED:
        return f'{place} rotate({TURNED[name]})"><use href="#tablet"/></g>'
    screen = f'fill="{ACCENT}"' if name == "faceUp" else 'fill="none"'
    return f'{place}"><path d="M-7-4H11L7 4H-11Z" {screen} stroke="{TEXT}"/></g>'


def marked(line):
    """A line in its colours: a prompt, or a time and a word, before the rest."""
    if line.startswith("$ "):
        return f'<tspan fill="{ACCENT}">$</tspan> {escape(line[2:])}'
    if line[2:3] == ":" and "  " in line:
        when, what = line.split("  ", 1)
        return f'<tspan fill="{DIM}">{when}</tspan>  {escape(what)}'
    return f'<tspan fill="{DIM}">{escape(line)}</tspan>' if line.startswith("orientationctl:") else escape(line)


class Picture:
    """The SVG file as it grows."""

    def __init__(self):
        self.parts, self.moments, self.y = [], [], MARGIN
        self.width = COLUMNS * CHARACTER + 4 * MARGIN

    def terminal(self, title, lines):
        height = BAR + len(lines) * LINE + MARGIN
        x, width = MARGIN, self.width - 2 * MARGIN
        self.parts.append(
            f'<rect x="{x}" y="{self.y}" width="{width:.0f}" height="{height}" rx="8" fill="{BACKGROUND}" stroke="{FRAME}"/>'
            f'<text x="{x + MARGIN}" y="{self.y + 20}" class="t">{escape(title)}</text>')
        for number, (when, line) in enumerate(lines):
            y = self.y + BAR + (number + 0.75) * LINE
            content = f'<text x="{x + MARGIN}" y="{y:.1f}" xml:space="preserve">{marked(line)}</text>'
            if "  device " in line:
                content += tablet(line.split()[-1], x + width - 3 * MARGIN, y - 5)
            self.parts.append(f'<g class="l" style="animation-name:m{len(self.moments)}">{content}</g>')
            self.moments.append(when)
        self.y += height + MARGIN

    def text(self):
        duration = END + PAUSE
        frames = ""
        for number, when in enumerate(self.moments):
            share = 100 * when / duration
            frames += f"@keyframes m{number}{{0%,{share:.2f}%{{opacity:0}}{share + 0.01:.2f}%,100%{{opacity:1}}}}"
        return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:.0f} {self.y}" width="{self.width:.0f}" height="{self.y}">
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by docs/picture.py from a session with the simulated tablet: make picture -->
<title>orientationctl monitor follows a tablet that is turned, locked and unlocked</title>
<style>
text{{font:14px ui-monospace,"DejaVu Sans Mono","Liberation Mono",Menlo,monospace;fill:{TEXT};white-space:pre}}
.t{{font-size:12px;fill:{DIM}}}
.l{{animation:{duration}s linear -{END}s infinite}}
@media (prefers-reduced-motion:reduce){{.l{{animation:none!important}}}}
{frames}
</style>
<defs><g id="tablet"><rect x="-6" y="-9" width="12" height="18" rx="2" fill="none" stroke="{TEXT}"/>
<path d="M0-6L3.5-1H-3.5Z" fill="{ACCENT}"/></g></defs>
{chr(10).join(self.parts)}
</svg>
"""


def main():
    daemon, tool, target = sys.argv[1:]
    session = Session(os.path.abspath(daemon), os.path.abspath(tool))
    picture = Picture()
    picture.terminal("while the tablet is turned", session.monitor)
    picture.terminal("in another terminal", session.shell)
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture.text())


if __name__ == "__main__":
    main()
