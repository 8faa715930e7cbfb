# SPDX-License-Identifier: Apache-2.0
"""The six poses of a tablet, and what its sensors read in each.

A pose is named by its UIDeviceOrientation. `held_up_by` is what an ideal sensor at rest reads, in
g: x to the screen's right edge, y to its top edge, z out of it.
"""
import math
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


def _leaning(name, pose, degrees):
    """The screen's top, whichever edge that is, leans back so far from the vertical; below zero, forward."""
    x, y, _ = pose.held_up_by
    along, out = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return Pose(name, pose.orientation, pose.proxy_word, (x * along, y * along, out))


LEANING_BACK = _leaning("leaning back", PORTRAIT, 45)
LEANING_FORWARD = _leaning("leaning forward", PORTRAIT, -45)
LEANING_BACK_ON_THE_LEFT = _leaning("left edge up, leaning back", LANDSCAPE_RIGHT, 40)
LEANING_BACK_ON_THE_RIGHT = _leaning("right edge up, leaning back", LANDSCAPE_LEFT, 30)

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


def read_through(matrix, is_hub):
    """How a chip reads that is mounted as a matrix of udev's hardware database says: so that iio-sensor-proxy, to whose eye they
    were tuned, has X and Y of the matrix's first two rows. Its third axis is where a right-handed chip has it, whatever the
    third row says, which nobody has tuned."""
    right, top, _ = matrix
    out = (right[1] * top[2] - right[2] * top[1], right[2] * top[0] - right[0] * top[2], right[0] * top[1] - right[1] * top[0])
    sign = -1 if is_hub else 1

    def read(pose):
        x, y, z = pose.held_up_by
        return tuple(-x * a - y * b + sign * z * c for a, b, c in zip(right, top, out))
    return read


def rates_read_beside(read):
    """How a gyroscope reads turns whose axes are those of an accelerometer that reads poses so. A turn is the same in a mirror that
    an acceleration is not the same in: the accelerometers of hubs are such mirrors, their gyroscopes are not."""
    columns = [read(Pose("along an axis", 0, "", axis)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    (a, b, c), (d, e, f), (g, h, i) = columns
    handedness = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)

    def read_rates(rates):
        return tuple(handedness * sum(rate * column[axis] for rate, column in zip(rates, columns)) for axis in range(3))
    return read_rates
