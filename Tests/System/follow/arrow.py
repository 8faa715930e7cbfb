# SPDX-License-Identifier: Apache-2.0
"""The picture of an arrow, and how it stands in a screenshot."""
import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf, GLib  # noqa: E402

SIZE = 600
HEAD, SHAFT, PAPER = (200, 30, 30), (30, 60, 200), (240, 240, 240)
NEAR = 40                           # how far a colour may be off after it was scaled


def colour(x, y):
    """The colour of a point of the picture: an arrow that points up."""
    middle = abs(x - SIZE // 2)
    if 60 <= y < 300 and middle < (y - 60) * 0.8:
        return HEAD
    if 300 <= y < 540 and middle < 60:
        return SHAFT
    return PAPER


def draw(file):
    """Save the picture."""
    pixels = bytes(value for y in range(SIZE) for x in range(SIZE) for value in colour(x, y))
    save(file, SIZE, SIZE, pixels)


def save(file, width, height, pixels):
    """Save a picture of which each point has a byte each of red, green and blue."""
    GdkPixbuf.Pixbuf.new_from_bytes(
        GLib.Bytes.new(pixels), GdkPixbuf.Colorspace.RGB, False, 8, width, height, width * 3).savev(str(file), "png", [], [])


def look(file):
    """The size of a screenshot, and where the arrow points there: up, down, left, right, or None if it is not in the middle."""
    picture = GdkPixbuf.Pixbuf.new_from_file(str(file))
    pixels, stride, depth = picture.get_pixels(), picture.get_rowstride(), picture.get_n_channels()
    found = {HEAD: [], SHAFT: []}
    for y in range(0, picture.get_height(), 8):
        for x in range(0, picture.get_width(), 8):
            place = y * stride + x * depth
            here = pixels[place:place + 3]
            for wanted, points in found.items():
                if all(abs(a - b) < NEAR for a, b in zip(here, wanted)):
                    points.append((x, y))
    size = picture.get_width(), picture.get_height()
    if not all(found.values()) or not in_the_middle(size, found[HEAD] + found[SHAFT]):
        return size, None
    head, shaft = (tuple(sum(axis) / len(points) for axis in zip(*points)) for points in found.values())
    x, y = head[0] - shaft[0], head[1] - shaft[1]
    if abs(x) > abs(y):
        return size, "right" if x > 0 else "left"
    return size, "down" if y > 0 else "up"


def in_the_middle(size, points):
    """Whether the arrow is there as a whole: before its program has painted again, it lies beside the middle of a turned output."""
    return all(abs(min(axis) + max(axis) - length) < NEAR for axis, length in zip(zip(*points), size))
