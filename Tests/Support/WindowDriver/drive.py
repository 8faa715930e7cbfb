#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""drive.py SCREEN: runs examples/gtk4/rotating-picture.py, prints what its window shows, and uses it as a person does.

A line is printed when the window shows something else, such as

    landscapeLeft: tablet left, picture up, lock off, no button

These are: the text; where the tablet's top edge is, and the top of its interface, as measured on the screen; the lock button; the button
that rotates. SCREEN is the file of Xvfb's -fbdir, in the format of xwd. Commands on the standard input, one a line: "lock" and
"rotate" click on these buttons, unless they are grey or hidden; "save FILE" writes a picture of the window.
"""

import importlib.util
import pathlib
import sys

EXAMPLE = pathlib.Path(__file__).resolve().parents[3] / "examples/gtk4/rotating-picture.py"
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("rotating_picture", EXAMPLE)
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)

import cairo
import numpy
from gi.repository import GLib

# The colours of the camera at the tablet's top edge and of the sun at the top of its interface: blue, green, red.
CAMERA, SUN = (0, 120, 255), (92, 227, 247)


def screen():
    """The pixels of the screen as rows of columns of blue, green, red and nothing."""
    header = numpy.fromfile(sys.argv[1], ">u4", 25)
    size, height, stride, colours = header[0], header[5], header[12], header[19]
    pixels = numpy.fromfile(sys.argv[1], numpy.uint8, offset=size + 12 * colours)
    return pixels[:height * stride].reshape(height, stride // 4, 4)


def part(window, widget):
    """The pixels of a widget of the window, which is in the corner of the screen, as there is no window manager."""
    _, bounds = widget.compute_bounds(window)
    margin = window.get_surface_transform()
    left, top = int(bounds.origin.x + margin.x), int(bounds.origin.y + margin.y)
    return screen()[top:top + int(bounds.size.height), left:left + int(bounds.size.width)]


def direction(pixels, colour):
    """Where this colour is, seen from the middle of the picture."""
    rows, columns = (numpy.abs(pixels[:, :, :3].astype(int) - colour).max(axis=2) < 8).nonzero()
    if not len(rows):
        return "nowhere"
    down, right = rows.mean() - pixels.shape[0] / 2, columns.mean() - pixels.shape[1] / 2
    return ["up", "right", "down", "left"][round(float(numpy.arctan2(right, -down)) / (numpy.pi / 2)) % 4]


def describe(window):
    pixels = part(window, window.picture)
    lock = "on" if window.lock_button.get_active() else "off"
    grey = "" if window.lock_button.is_sensitive() else " and grey"
    button = window.rotate_button.get_label() if window.rotate_button.get_mapped() else "no button"
    return f"{window.label.get_label()}: tablet {direction(pixels, CAMERA)}, picture {direction(pixels, SUN)}, lock {lock}{grey}, {button}"


class Driver:
    def __init__(self, app):
        self.app, self.pixels, self.printed = app, None, None
        # After the drawing: on a loaded machine a look may take longer than the time between two, and nothing would be drawn.
        GLib.timeout_add(50, self.look, priority=GLib.PRIORITY_LOW)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN, self.command)

    def look(self):
        """Prints what the window shows, if that is new, and nothing in the window moves."""
        window = self.app.window
        if window and window.get_mapped():
            pixels = part(window, window)
            is_still = self.pixels is not None and numpy.array_equal(pixels, self.pixels)
            self.pixels = pixels
            if is_still and describe(window) != self.printed:
                self.printed = describe(window)
                print(self.printed, flush=True)
        return GLib.SOURCE_CONTINUE

    def command(self, _channel, _condition):
        window, words = self.app.window, sys.stdin.readline().split()
        buttons = {"lock": window.lock_button, "rotate": window.rotate_button}
        if words and words[0] == "save":
            pixels = numpy.ascontiguousarray(part(window, window))
            height, width = pixels.shape[:2]
            cairo.ImageSurface.create_for_data(pixels, cairo.FORMAT_RGB24, width, height).write_to_png(words[1])
            print(f"saved {words[1]}", flush=True)
        elif words and buttons[words[0]].is_sensitive() and buttons[words[0]].get_mapped():
            buttons[words[0]].emit("clicked")
        return bool(words)


app = example.App()
driver = Driver(app)
app.run()
