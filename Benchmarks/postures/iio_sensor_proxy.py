# SPDX-License-Identifier: Apache-2.0
"""The rule of iio-sensor-proxy."""

import math

THRESHOLD_DEGREES = 35
POLL_SECONDS = 0.7


def changes(seconds, acceleration):
    """The changes: times and orientations.

    orientation_calc in src/orientation.c, as of commit bb5fbcc2f9b4 of iio-sensor-proxy; src/drv-iio-poll-accel.c gives it a
    reading each 700 ms. The orientation is unknown until an edge rises by more than 35 degrees."""
    current, next_poll = None, seconds[0]
    for now, (x, y, z) in zip(seconds, acceleration):
        if now < next_poll - 1e-6:
            continue
        next_poll += POLL_SECONDS
        # Edges are compared as rounded degrees above level.
        right = round(math.degrees(math.atan2(x, math.hypot(y, z))))
        top = round(math.degrees(math.atan2(y, math.hypot(x, z))))
        before = current
        if abs(right) > THRESHOLD_DEGREES and abs(top) > THRESHOLD_DEGREES:
            continue
        if abs(right) > THRESHOLD_DEGREES:
            current = 2 if right > 0 else 3
        elif abs(top) > THRESHOLD_DEGREES:
            current = 0 if top > 0 else 1
        if current != before:
            yield now, current
