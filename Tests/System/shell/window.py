#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An app on the tablet, so that pictures of the screen show which way up it is: a drawing, and a text below or beside it."""
import math

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import Gtk, Pango, PangoCairo  # noqa: E402

TEXT = """<span size="22000" weight="bold">This way up</span>

<span size="12500">orientationd reads the accelerometer of a tablet, decides which way up the tablet is held, and announces each \
change on D-Bus.

The shell turns the screen, so that you can go on reading.</span>"""
PAPER, INK = (0.98, 0.98, 0.96), (0.15, 0.18, 0.20)
SKY, SUN = (0.68, 0.85, 0.92), (0.98, 0.80, 0.30)
# Each hill: its colour, and the middle of a circle and its radius, as shares of the drawing's larger side.
HILLS = [((0.45, 0.68, 0.52), 0.2, 1.25, 0.65), ((0.22, 0.47, 0.38), 0.85, 1.45, 0.75)]
MARGIN = 22


def draw_landscape(context, width, height):
    """A sun over two hills."""
    size = max(width, height)
    context.rectangle(0, 0, width, height)
    context.clip()
    context.set_source_rgb(*SKY)
    context.paint()
    context.set_source_rgb(*SUN)
    context.arc(width * 0.68, height * 0.3, size * 0.11, 0, 2 * math.pi)
    context.fill()
    for colour, x, y, radius in HILLS:
        context.set_source_rgb(*colour)
        context.arc(width * x, height - size + size * y, size * radius, 0, 2 * math.pi)
        context.fill()


def draw(area, context):
    """The text is beside the drawing if the window is wider than high."""
    width, height = area.get_allocated_width(), area.get_allocated_height()
    is_wide = width > height
    context.set_source_rgb(*PAPER)
    context.paint()
    context.save()
    draw_landscape(context, *((width / 2, height) if is_wide else (width, height / 2)))
    context.restore()
    text = PangoCairo.create_layout(context)
    text.set_font_description(Pango.FontDescription("Sans"))
    text.set_markup(TEXT)
    text.set_wrap(Pango.WrapMode.WORD)
    text.set_width(((width / 2 if is_wide else width) - 2 * MARGIN) * Pango.SCALE)
    context.translate(*((width / 2 + MARGIN, MARGIN) if is_wide else (MARGIN, height / 2 + MARGIN)))
    context.set_source_rgb(*INK)
    PangoCairo.show_layout(context, text)


window = Gtk.Window(title="orientationd")
area = Gtk.DrawingArea()
area.connect("draw", draw)
window.add(area)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
