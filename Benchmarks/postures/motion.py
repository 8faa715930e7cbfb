# SPDX-License-Identifier: Apache-2.0
"""The tablet as a rigid body: what an accelerometer in it reads while it is moved.

The sensor is at a distance from the axis of the turn, the wrist or the elbow; its acceleration, tangential and centripetal, is the
second derivative of its place. In the room, x points to the right of the person, y away from the person and z up.
"""

import numpy as np

STANDARD_GRAVITY = 9.80665
HERTZ = 500
# From the axis of a wrist at the edge of a small tablet to that of an elbow.
LEVER_METRES = (0.03, 0.25)


class Motion:
    """A movement at 500 Hz, to which disturbances (`disturbances.py`) are added before its readings are taken."""

    def __init__(self, path, random, lever=LEVER_METRES):
        self.random = random
        # Whether the screen must also be right at the start, as after a wake-up.
        self.first_counts = False
        self.seconds = np.arange(round(path.seconds * HERTZ)) / HERTZ
        # The attitude that counts for the reference, and what the springing of the hand adds to it.
        self.angles, height = path.at(self.seconds)
        self.overshoot = path.overshoot(self.seconds, random)
        self._lever = _in_plane(random) * random.uniform(*lever)
        # The acceleration of the axis of the turns in the room, in m/s^2, and further readings in the axes of the screen.
        self.pushes = np.zeros((len(self.seconds), 3))
        self.pushes[:, 2] = _derived_twice(height[:, None])[:, 0]
        self.knocks = np.zeros((len(self.seconds), 3))

    def up(self):
        """The direction that is up in the axes of the screen, as the reference has it."""
        return _rotations(self.angles)[:, 2]

    def readings(self):
        """What an accelerometer without faults reads, in m/s^2."""
        rotations = _rotations(self.angles + self.overshoot)
        acceleration = _derived_twice(rotations @ self._lever) + self.pushes
        acceleration[:, 2] += STANDARD_GRAVITY
        return np.einsum("nji,nj->ni", rotations, acceleration) + self.knocks


def _in_plane(random):
    """A direction at random, nearly in the plane of the screen: the hand holds the tablet by its edge."""
    direction = random.normal(0, [1, 1, 0.2])
    return direction / np.linalg.norm(direction)


def _derived_twice(place):
    step = np.diff(place, 2, axis=0) * HERTZ**2
    return np.concatenate([step[:1], step, step[-1:]])


def _rotations(angles):
    """The rotations from the axes of the screen to those of the room: about z by the roll, about x by the rise, about z by the
    heading. Their third rows are the direction that is up in the axes of the screen."""
    (ch, cr, cl), (sh, sr, sl) = np.cos(np.radians(angles)).T, np.sin(np.radians(angles)).T
    zero = np.zeros_like(ch)
    about_x = np.moveaxis(np.array([[zero + 1, zero, zero], [zero, cr, -sr], [zero, sr, cr]]), -1, 0)
    return _about_z(ch, sh, zero) @ about_x @ _about_z(cl, sl, zero)


def _about_z(cos, sin, zero):
    return np.moveaxis(np.array([[cos, -sin, zero], [sin, cos, zero], [zero, zero, zero + 1]]), -1, 0)
