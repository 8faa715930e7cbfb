# SPDX-License-Identifier: Apache-2.0
"""The border between lying flat and being upright.

  --flat DEG        a screen that rises by less than so many degrees above the table lies flat, face up or face down

At 45 degrees, this border is midway between the axes, as the borders between the upright orientations are. But a tablet on the
lap often rises by less, and whoever reads it expects the screen to turn there. So z counts tan(DEG) beside x and y: then the axis
that is nearest to gravity is that of a flat orientation below a rise by DEG, and that of an upright one above it. The borders
between the upright orientations stay where they are. Angles past a border are those of the weighed direction.
"""

import numpy as np

from options import number

DEFAULT_DEGREES = 22.0


def add_flat_option(parser):
    """Declares the option for the border."""
    degrees = number(0, 90, above=True, below=True)
    flat = "a screen that rises by less above the table lies flat (border.py); %(default)g without this option"
    parser.add_argument("--flat", type=degrees, metavar="DEG", default=DEFAULT_DEGREES, help=flat)


class Border:
    """The rise, in degrees, below which a screen lies flat."""

    def __init__(self, degrees):
        self._weights = np.array([1, 1, np.tan(np.radians(degrees))])

    def weighed(self, up):
        """Directions of gravity in which z counts so much that the nearest axis is the orientation; where there is none, zero."""
        weighed = up * self._weights
        return weighed / np.maximum(np.linalg.norm(weighed, axis=1), 1e-9)[:, None]
