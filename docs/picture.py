#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""picture.py DAEMON FILE.svg: draws how a tablet is held and what its screen shows, over the time of a real session.

The daemon turns its simulated tablet on a private bus. Rotation is locked in landscape, and unlocked when the tablet is upside down.
How the tablet is held is read from gravity, which the daemon knows also while rotation is locked. What the screen shows is read from
its D-Bus signals, when they arrive.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

import dbus
import dbus.bus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, PATH = "org.orientationd1", "/org/orientationd1"
# When rotation is locked and unlocked: seconds from the start. The tablet's turns end 4 s apart.
LOCKED = {True: 6.6, False: 14.3}
END = 19
# How often gravity is read, which the daemon renews four times a second.
WATCH_SECONDS = 0.1
# What the screen has to have shown by then, as Transform.
SHOWN = ["normal", "270", "180", "90"]

# How far the tablet is turned, clockwise, as a person sees it, and the direction that is up.
TURNED = {"portrait": 0, "landscapeLeft": -90, "portraitUpsideDown": 180, "landscapeRight": 90}
UP = {"portrait": (0, 1, 0), "portraitUpsideDown": (0, -1, 0), "landscapeLeft": (1, 0, 0), "landscapeRight": (-1, 0, 0),
      "faceUp": (0, 0, 1), "faceDown": (0, 0, -1)}
# A tablet within this angle of a direction is held so, and is being turned otherwise.
HELD_DEGREES = 20
# How far the picture is turned on the panel, clockwise, by the transform, which is counter-clockwise.
ON_PANEL = {"normal": 0, "90": -90, "180": 180, "270": 90}

BUS = """<busconfig>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
"""


class Span(NamedTuple):
    """A time in which something stays the same, in seconds."""

    start: float
    end: float
    value: object


def spans(values, end):
    """The spans of a list of times and values, the last of which lasts to the end; those whose value is None are left out."""
    found = []
    for (start, value), (next_start, _) in zip(values, values[1:] + [(end, None)]):
        if found and found[-1].value == value and found[-1].end == start:
            found[-1] = Span(found[-1].start, next_start, value)
        elif value is not None:
            found.append(Span(start, next_start, value))
    return found


def pose(gravity):
    """The orientation of a tablet that reads this; None while it is being turned."""
    length = math.hypot(*gravity)
    for name, up in UP.items():
        if sum(a * b for a, b in zip(gravity, up)) > length * math.cos(math.radians(HELD_DEGREES)):
            return name
    return None


class Session:
    """What was seen, each with the seconds from the start of the sensor: spans in `held`, `shown` and `locked`."""

    def __init__(self, daemon):
        self.poses, self.transforms, self.locks = [], [], []
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/bus.conf", "w", encoding="utf-8") as file:
                file.write(BUS.format(folder=folder))
            address = f"unix:path={folder}/bus"
            environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=address)
            started = [subprocess.Popen(["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--nopidfile"],
                                        stderr=subprocess.DEVNULL)]
            try:
                self.wait(lambda: os.path.exists(f"{folder}/bus"))
                self.bus = dbus.bus.BusConnection(address, mainloop=DBusGMainLoop())
                started.append(subprocess.Popen(
                    [daemon, "--sensor", "simulated", "--config", "/dev/null"], env=environment, stderr=subprocess.DEVNULL))
                self.wait(lambda: self.bus.name_has_owner(NAME))
                self.record()
            finally:
                for process in reversed(started):
                    process.terminate()
                    process.wait()
        self.held = spans(self.poses, END)
        self.shown = spans(self.transforms, END)
        self.locked = [span for span in spans(self.locks, END) if span.value]

    @staticmethod
    def wait(is_so):
        deadline = time.monotonic() + 10
        while not is_so():
            if time.monotonic() > deadline:
                raise SystemExit("picture: the bus or orientationd does not start")
            time.sleep(0.05)

    @property
    def seconds(self):
        return time.monotonic() - self.start

    def record(self):
        daemon = self.bus.get_object(NAME, PATH, introspect=False)
        self.device = dbus.Interface(daemon, f"{NAME}.Device")
        self.sensor = dbus.Interface(daemon, f"{NAME}.Sensor")
        self.screen = dbus.Interface(daemon, f"{NAME}.Screen")
        self.bus.add_signal_receiver(self.changed, "PropertiesChanged", dbus.PROPERTIES_IFACE, NAME, PATH)
        self.device.BeginGeneratingDeviceOrientationNotifications()
        self.start = time.monotonic()
        self.changed("", daemon.GetAll(f"{NAME}.Screen", dbus_interface=dbus.PROPERTIES_IFACE))
        for locked, when in LOCKED.items():
            GLib.timeout_add(int(when * 1000), self.screen.SetRotationLock, locked)
        GLib.timeout_add(int(WATCH_SECONDS * 1000), self.watch)
        loop = GLib.MainLoop()
        GLib.timeout_add(END * 1000, loop.quit)
        loop.run()

    def changed(self, _interface, values, *_):
        if "Transform" in values:
            self.transforms.append((self.seconds, str(values["Transform"])))
        if "RotationLocked" in values:
            self.locks.append((self.seconds, bool(values["RotationLocked"])))

    def watch(self):
        try:
            gravity = self.sensor.MeasureGravity()
        except dbus.DBusException:
            # None is known yet.
            return True
        if self.seconds < END:
            self.poses.append((self.seconds, pose(gravity)))
        return True

    def check(self):
        """README says what is to be seen."""
        seen = [span.value for span in self.shown]
        if seen != SHOWN or len(self.locked) != 1:
            raise SystemExit(f"picture: the screen has shown {seen}, and was locked {len(self.locked)} times")
        times = [when for when, _ in self.poses]
        if max((later - when for when, later in zip(times, times[1:] + [END])), default=END) > 5 * WATCH_SECONDS:
            raise SystemExit("picture: the machine was too busy to see how the tablet was held; try again")


LEFT, SECOND, WIDTH, HEIGHT = 122, 40, 900, 306
# The middles of the two rows, where their bars and words are below these, and the time line.
HELD_Y, SHOWN_Y, BAR, WORDS = 82, 190, 40, 57
AXIS = 268
LOCK_TOP = 14

# Not every viewer knows variables of CSS, so each colour is written twice.
LIGHT = {"back": "#f6f8fa", "frame": "#d0d7de", "text": "#1f2328", "dim": "#59636e", "bar": "#8c959f", "glass": "#ffffff",
         "accent": "#0a7a4b", "lock": "#f7e8bd"}
DARK = {"back": "#11161d", "frame": "#2b3440", "text": "#d5dce6", "dim": "#8b96a5", "bar": "#5d6875", "glass": "#1c2530",
        "accent": "#7ee2a8", "lock": "#41391f"}
SHAPES = """
text{font:13px system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif;text-anchor:middle}
.row{font-weight:600;text-anchor:start}
.dim.row{font-weight:400}
.aa{font-size:20px;font-weight:700}
.tablet{stroke-width:2}
.axis,.padlock{fill:none}
.padlock{stroke-width:1.6}
"""
COLOURS = """
.back{{fill:{back};stroke:{frame}}}
text,.camera{{fill:{text}}}
.dim{{fill:{dim}}}
.aa,.shown{{fill:{accent}}}
.tablet{{fill:{glass};stroke:{text}}}
.bar{{fill:{bar}}}
.axis{{stroke:{dim}}}
.lock{{fill:{lock}}}
.padlock{{stroke:{text}}}
"""


def x_of(seconds):
    return LEFT + seconds * SECOND


def tablet(x, y, name, before, transform=None):
    """A tablet as it is held, with what its screen shows if a transform is given.

    A flat one lies as it was held before, so that it is seen from the same side.
    """
    turn = f"rotate({TURNED[name if name in TURNED else before]})"
    if name not in TURNED:
        turn = f"skewX(-24) scale(1 .6) {turn}"
    content = '<rect class="tablet" x="-19" y="-30" width="38" height="60" rx="5"/><circle class="camera" cy="-25" r="1.8"/>'
    if transform is not None:
        content += f'<text class="aa" transform="rotate({ON_PANEL[transform]})" y="7">Aa</text>'
    return f'<g transform="translate({x:.1f} {y}) {turn}">{content}</g>'


def bar(span, y, kind):
    """The bar of a span, with a gap to the next one."""
    return (f'<rect class="{kind}" x="{x_of(span.start) + 1:.1f}" y="{y}" width="{(span.end - span.start) * SECOND - 2:.1f}" '
            'height="3" rx="1.5"/>')


def words(x, y, text, kind=""):
    return f'<text class="{kind}" x="{x:.1f}" y="{y}">{text}</text>'


def middle(start, end):
    return x_of((start + end) / 2)


def held_row(session):
    """The tablets of the first row, each in the middle of its time."""
    before = "portrait"
    for span in session.held:
        x = middle(span.start, span.end)
        yield tablet(x, HELD_Y, span.value, before) + bar(span, HELD_Y + BAR, "bar") + words(x, HELD_Y + WORDS, span.value)
        before = span.value if span.value in TURNED else before


def shown_row(session):
    """The tablets of the second row: one for each way in which the screen is seen."""
    for span in session.shown:
        yield bar(span, SHOWN_Y + BAR, "shown") + words(middle(span.start, span.end), SHOWN_Y + WORDS, span.value)
    before = "portrait"
    for held in session.held:
        for shown in session.shown:
            start, end = max(held.start, shown.start), min(held.end, shown.end)
            # What is shorter is part of the turn.
            if end - start > 0.7:
                yield tablet(middle(start, end), SHOWN_Y, held.value, before, shown.value)
        before = held.value if held.value in TURNED else before


def lock(session):
    """The time of the lock, behind both rows."""
    for span in session.locked:
        x, y = middle(span.start, span.end), LOCK_TOP + 20
        yield (f'<rect class="lock" x="{x_of(span.start):.1f}" y="{LOCK_TOP}" width="{(span.end - span.start) * SECOND:.1f}" '
               f'height="{AXIS - LOCK_TOP}" rx="4"/>'
               f'<g class="padlock" transform="translate({x - 58:.1f} {y - 5})"><rect x="-5" y="-2" width="10" height="8" rx="1.5"/>'
               '<path d="M-3-2V-4A3 3 0 0 1 3-4V-2"/></g>' + words(x + 4, y, "rotation locked"))


def time_line():
    ticks = "".join(f"M{x_of(second)} {AXIS}v{6 if second % 2 == 0 else 3}" for second in range(END + 1))
    yield f'<path class="axis" d="M{x_of(0)} {AXIS}H{x_of(END)}{ticks}"/>'
    for second in range(0, END + 1, 2):
        yield words(x_of(second), AXIS + 21, second or "0 s", "dim")


def picture(session):
    """The text of the SVG file."""
    parts = [
        *lock(session), *time_line(),
        words(18, HELD_Y - 3, "The tablet", "row"), words(18, HELD_Y + 14, "as it is held", "row dim"),
        words(18, SHOWN_Y - 3, "Its screen", "row"), words(18, SHOWN_Y + 14, "as it is seen", "row dim"),
        words(18, SHOWN_Y + WORDS, "Transform", "row dim"),
        *held_row(session), *shown_row(session),
    ]
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by docs/picture.py from a session with the simulated tablet: make picture -->
<title>How a tablet is held, and what its screen shows, while it is turned, locked and unlocked</title>
<style>{SHAPES}{COLOURS.format(**LIGHT)}@media (prefers-color-scheme:dark){{{COLOURS.format(**DARK)}}}
</style>
<rect class="back" x=".5" y=".5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="8"/>
{chr(10).join(parts)}
</svg>
"""


def main():
    daemon, target = sys.argv[1:]
    session = Session(os.path.abspath(daemon))
    session.check()
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture(session))


if __name__ == "__main__":
    main()
