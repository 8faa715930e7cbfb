# SPDX-License-Identifier: Apache-2.0
"""The rule of Android."""

import math
from collections import deque

FILTER_SECONDS = 0.2
TILT_LIMITS = ((-25, 70), (-25, 65), (-25, 60), (-25, 65))
# For so long a prediction must last; and for so long after the tablet lay flat, fell back or was pushed, nothing is proposed.
WAIT_SECONDS = (0.04, 0.5, 0.3, 0.5)
# Rotations by 0, 90, 180 and 270 degrees, as ORIENTATIONS has them: portrait, landscape left, upside down, landscape right.
ORIENTATION = (0, 2, 1, 3)
# The hysteresis: an integer division of the gap of 45 degrees.
HALF_GAP = 22


def changes(seconds, acceleration):
    """The changes: times and orientations.

    AccelSensorJudge in services/core/java/com/android/server/policy/WindowOrientationListener.java, as of commit 0172a23b1af4 of
    platform/frameworks/base, with the tilt limits of its config.xml and without touches; the screen begins upright."""
    judge = Judge()
    yield seconds[0], ORIENTATION[judge.rotation]
    for now, reading in zip(seconds, acceleration):
        before = judge.rotation
        judge.take(now, reading)
        if judge.rotation != before:
            yield now, ORIENTATION[judge.rotation]


class Judge:
    """Proposes rotations, which the screen follows at once."""

    def __init__(self):
        self.rotation, self._predicted = 0, None
        self._then, self._gravity, self._tilts = None, None, deque()
        self._is_overhead = False
        # When the prediction began, and when the tablet was last flat, falling back or pushed.
        self._steady = self._flat = self._swing = self._push = -math.inf

    def take(self, now, reading):
        """Takes a reading of the sensor."""
        if self._then is None:
            self._then, self._gravity = now, list(reading)
            return
        share = (now - self._then) / (FILTER_SECONDS + now - self._then)
        self._then = now
        self._gravity = x, y, z = [old + share * (new - old) for old, new in zip(self._gravity, reading)]
        length = math.hypot(x, y, z)
        if length < 1:
            self._predict(now, None)
            return
        if abs(length - 9.80665) > 4:
            self._push = now
        tilt = math.floor(math.degrees(math.asin(z / length)) + 0.5)
        self._note_tilt(now, tilt)
        self._predict(now, self._prediction(x, y, tilt))
        since = (self._steady, self._flat, self._swing, self._push)
        if self._predicted is not None and all(now >= then + wait for then, wait in zip(since, WAIT_SECONDS)):
            self.rotation = self._predicted

    def _note_tilt(self, now, tilt):
        """Finds out whether the screen has lain flat for a second, or was tilted away by 20 degrees within 0.3 s."""
        self._tilts.append((now, tilt))
        while self._tilts[0][0] < now - 1.5:
            self._tilts.popleft()
        for then, other in reversed(self._tilts):
            if other < 80:
                break
            if then + 1 <= now:
                self._flat = now
        if any(other + 20 <= tilt for then, other in self._tilts if then + 0.3 >= now):
            self._swing = now
        if tilt <= -40:
            self._is_overhead = True
        elif tilt >= -15:
            self._is_overhead = False

    def _prediction(self, x, y, tilt):
        if self._is_overhead or abs(tilt) > 80:
            return None
        angle = math.floor(-math.degrees(math.atan2(-x, y)) + 0.5) % 360
        nearest = (angle + 45) // 90 % 4
        past = (angle - 90 * nearest + 180) % 360 - 180
        least, most = TILT_LIMITS[nearest]
        if not least <= tilt <= most:
            return None
        step = (nearest - self.rotation) % 4
        if step in (0, 1) and past < HALF_GAP - 45 or step in (0, 3) and past > 45 - HALF_GAP:
            return None
        return nearest

    def _predict(self, now, rotation):
        if rotation != self._predicted:
            self._predicted, self._steady = rotation, now
