# SPDX-License-Identifier: Apache-2.0
"""The same movements in other attitudes of a device in the hand.

Recordings show few of the attitudes in which people hold a device, and a classifier that is right by chance in these may be wrong
in others. So the whole recording, readings and reference, is rotated by a fixed rotation, such that the mean reference gravity is
that of an attitude at random: the screen is raised by 15 to 90 degrees (90 is upright) and rolled from portrait by up to 75
degrees to either side. A random rotation about the direction of gravity comes with it, so that the movements have any direction
as well. The recording's name and the number of the attitude are the seed, so that runs are equal.
"""

import numpy as np

from options import number
from worse import seed_of

ELEVATION_DEGREES = (15, 90)
ROLL_DEGREES = (-75, 75)
# The reference is smooth; a rate as that of its slowest recordings saves time.
REFERENCE_HERTZ = 50.0


def add_option(parser):
    """Declares the option for the number of attitudes."""
    attitudes = number(1, 1000, int)
    parser.add_argument("--attitudes", type=attitudes, metavar="N", help="so many random attitudes of each recording (attitudes.py)")


def in_attitudes(recording, count):
    """The recording in so many attitudes, one after the other; only as it is if there is no count."""
    if count is None:
        yield recording
        return
    for attitude in range(count):
        yield in_attitude(recording, attitude)


def in_attitude(recording, attitude):
    """The recording in one attitude."""
    known = np.isfinite(recording.reference).all(axis=1)
    if not known.any():
        return recording
    random = np.random.default_rng([seed_of(recording.name), attitude])
    rotation = rotation_between(recording.reference[known].mean(axis=0), random_up(random), random.uniform(0, 2 * np.pi))
    rate = 1 / np.median(np.diff(recording.reference_seconds))
    step = max(1, int(round(rate / REFERENCE_HERTZ)))
    return recording.with_samples(slice(None), recording.acceleration @ rotation.T).with_reference(
        f"{recording.name}#{attitude}", recording.reference_seconds[::step], recording.reference[::step] @ rotation.T
    )


def random_up(random):
    """The direction that is up in an attitude at random, in the screen's axes."""
    elevation, roll = np.radians(random.uniform(*ELEVATION_DEGREES)), np.radians(random.uniform(*ROLL_DEGREES))
    return np.array([np.sin(roll) * np.sin(elevation), np.cos(roll) * np.sin(elevation), np.cos(elevation)])


def rotation_between(before, after, angle):
    """A rotation that takes one direction to another one; the angle chooses which of all these."""
    about = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return _axes_along(after) @ about @ _axes_along(before).T


def _axes_along(direction):
    """Three orthogonal axes, of which the last is a direction, as the columns of a rotation."""
    third = direction / np.linalg.norm(direction)
    # Any axis that is not parallel to it will do.
    first = np.cross(np.eye(3)[np.abs(third).argmin()], third)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(third, first), third])
