# SPDX-License-Identifier: Apache-2.0
"""How a tablet is held."""
from typing import NamedTuple


class Pose(NamedTuple):
    """How the tablet is held."""

    name: str
    reading: tuple                  # in g, as iio-sensor-proxy takes it without a mount matrix: y down is "normal", x up "left-up"
    word: str                       # AccelerometerOrientation


UPRIGHT = Pose("upright", (0, -1, 0), "normal")
RIGHT = Pose("right edge up", (-1, 0, 0), "right-up")
DOWN = Pose("top down", (0, 1, 0), "bottom-up")
LEFT = Pose("left edge up", (1, 0, 0), "left-up")
