#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A window with a square to be touched, and where it is in a picture.

target.py OUTPUT: shows the window on the whole output. For each touch, it prints by what, and how far from the square's middle.
"""
import sys

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

LEFT, TOP, SIZE = 100, 200, 80
STEP = 4                            # in which pixels are looked at
STYLE = "window { background: #f0f0f0 } .target { background: #c81e1e }"


def find(file):
    """The middle of the square in a picture, in fractions of its width and height; None if it is not there as a whole."""
    picture = GdkPixbuf.Pixbuf.new_from_file(str(file))
    pixels, stride, depth = picture.get_pixels(), picture.get_rowstride(), picture.get_n_channels()
    width, height = picture.get_width(), picture.get_height()
    points = [(x, y) for y in range(0, height, STEP) for x in range(0, width, STEP)
              if pixels.startswith(b"\xc8\x1e\x1e", y * stride + x * depth)]
    if len(points) != (SIZE // STEP) ** 2:
        return None
    x, y = (sum(axis) / len(points) for axis in zip(*points))
    return x / width, y / height


def show(output):
    """Show the window until it is closed."""
    gi.require_version("Gdk", "4.0")
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gdk, Gtk

    def report(what):
        return lambda _, *point: print(what, round(point[-2] - LEFT - SIZE / 2), round(point[-1] - TOP - SIZE / 2), flush=True)

    def activate(application):
        display = Gdk.Display.get_default()
        style = Gtk.CssProvider()
        style.load_from_data(STYLE.encode())
        Gtk.StyleContext.add_provider_for_display(display, style, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        square = Gtk.Box(css_classes=["target"], halign=Gtk.Align.START, valign=Gtk.Align.START, margin_start=LEFT,
                         margin_top=TOP, width_request=SIZE, height_request=SIZE)
        area = Gtk.Overlay(child=Gtk.Box())
        area.add_overlay(square)
        finger, pen = Gtk.GestureClick(touch_only=True), Gtk.GestureStylus()
        finger.connect("pressed", report("finger"))
        pen.connect("down", report("pen"))
        area.add_controller(finger)
        area.add_controller(pen)
        window = Gtk.ApplicationWindow(application=application, child=area)
        window.fullscreen_on_monitor(next(monitor for monitor in display.get_monitors() if monitor.get_connector() == output))
        window.present()

    application = Gtk.Application()
    application.connect("activate", activate)
    application.run([])


if __name__ == "__main__":
    show(sys.argv[1])
