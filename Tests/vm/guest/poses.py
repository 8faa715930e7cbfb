# SPDX-License-Identifier: Apache-2.0
"""The six poses of a tablet, and what its sensors read in each.

A pose is named by its UIDeviceOrientation. `held_up_by` is what an ideal sensor at rest reads, in
g: x to the screen's right edge, y to its top edge, z out of it.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Pose:
    name: str
    orientation: int        # UIDeviceOrientation's raw value
    proxy_word: str         # what iio-sensor-proxy calls it; it has no words for the faces
    held_up_by: tuple


PORTRAIT = Pose("portrait", 1, "normal", (0, 1, 0))
PORTRAIT_UPSIDE_DOWN = Pose("portraitUpsideDown", 2, "bottom-up", (0, -1, 0))
LANDSCAPE_LEFT = Pose("landscapeLeft", 3, "right-up", (1, 0, 0))
LANDSCAPE_RIGHT = Pose("landscapeRight", 4, "left-up", (-1, 0, 0))
FACE_UP = Pose("faceUp", 5, "", (0, 0, 1))
FACE_DOWN = Pose("faceDown", 6, "", (0, 0, -1))

ALL_SIX = (PORTRAIT, FACE_UP, LANDSCAPE_LEFT, PORTRAIT_UPSIDE_DOWN, FACE_DOWN, LANDSCAPE_RIGHT)
# Each a quarter turn from the one before: what both daemons report.
ONE_TURN = (PORTRAIT, LANDSCAPE_LEFT, PORTRAIT_UPSIDE_DOWN, LANDSCAPE_RIGHT)


def read_by_hid_hub(pose):
    """A HID sensor hub reports acceleration towards the earth: the opposite of what holds it up."""
    return tuple(-axis for axis in pose.held_up_by)


def read_by_turned_hub(pose):
    """A hub whose chip sits turned by a quarter, x to the screen's top and y to its left, and which has no matrix."""
    x, y, z = read_by_hid_hub(pose)
    return (y, -x, z)


def read_by_chip(pose):
    """A chip reads what holds it up. Mounted as tablets without a mount matrix have it, its x and
    y axes point to the screen's left and bottom edges."""
    x, y, z = pose.held_up_by
    return (-x, -y, z)
