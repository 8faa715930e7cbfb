# SPDX-License-Identifier: Apache-2.0
"""The rule of ChromeOS."""

import math

# The angle in the plane of the screen past which it turns; 45 would be without hysteresis.
STICKY_DEGREES = 60
# In the plane of the screen, in m/s^2: a rise of 25 degrees.
LEAST_IN_PLANE = 4.2
# A reading whose length differs by more from gravity is not stable.
MOST_PUSH = 1.0
# The angle of each orientation from portrait, by its right edge: portrait, upside down, landscape left, landscape right.
DEGREES = (0, 180, 90, -90)


def changes(seconds, acceleration):
    """The changes: times and orientations.

    ScreenOrientationController::HandleScreenRotation in ash/display/screen_orientation_controller.cc, as of commit f24a8e130d36 of
    Chromium, and IsReadingStable in ash/accelerometer/accelerometer_types.cc; the screen begins upright."""
    current = 0
    yield seconds[0], current
    for now, (x, y, z) in zip(seconds, acceleration):
        if abs(math.hypot(x, y, z) - 9.80665) > MOST_PUSH or math.hypot(x, y) < LEAST_IN_PLANE:
            continue
        angle = math.degrees(math.atan2(x, y))
        past = [abs((angle - degrees + 180) % 360 - 180) for degrees in DEGREES]
        if past[current] >= STICKY_DEGREES:
            current = past.index(min(past))
            yield now, current
