# SPDX-License-Identifier: Apache-2.0
"""The correct output of a classifier, from a reference gravity.

At each instant the orientation nearest to gravity is acceptable, and so is another one whose border lies less than 15
degrees away. If only one is acceptable, it is definite. A stay is a stretch with one definite orientation that lasts
at least a second; instants between its first and its last one with no definite orientation belong to it. The steps from
stay to stay are the changes that a person expects. Shorter visits are not stays: it is correct to report them, and also to keep
the orientation of the stay before (and, on the way to the next stay, to report that one early).
"""

import numpy as np

from recordings import UNKNOWN, UP

ACCEPTABLE_DEGREES = 15
LEAST_STAY_SECONDS = 1.0
# A hole in the reference that is longer ends a stay.
LONGEST_HOLE_SECONDS = 2.0


class Stay:
    """A stretch of time with one definite orientation."""

    def __init__(self, orientation, index):
        self.orientation = orientation
        self.first = index
        self.last = index


class Reference:
    """The acceptable orientations of a recording at each of its samples, and its stays."""

    def __init__(self, recording, uprights_only):
        self.seconds = recording.seconds
        length = np.linalg.norm(recording.reference, axis=1)
        self.known = np.isfinite(length) & (length > 1e-6)
        up = np.where(self.known[:, None], recording.reference / np.where(self.known, length, 1)[:, None], 0)
        self.acceptable = self._acceptable(up)
        # With four orientations, lying flat is none of them: any answer is right, even unknown.
        self.indifferent = np.zeros(len(up), dtype=bool)
        if uprights_only:
            self.indifferent = self.acceptable[:, 4:].any(axis=1)
            self.acceptable[self.indifferent, :4] = True
            self.acceptable[:, 4:] = False
        is_definite = self.acceptable.sum(axis=1) == 1
        self.stays = self._stays(np.where(is_definite, self.acceptable.argmax(axis=1), UNKNOWN))
        self._accept_holding()

    def _acceptable(self, up):
        along = up @ UP.T
        lag = (along.max(axis=1, keepdims=True) - along) / np.sqrt(2)
        acceptable = np.degrees(np.arcsin(np.clip(lag, 0, 1))) < ACCEPTABLE_DEGREES
        acceptable[np.arange(len(up)), along.argmax(axis=1)] = True
        return acceptable & self.known[:, None]

    def _stays(self, definite):
        stretches = []
        for index in np.flatnonzero(definite != UNKNOWN):
            last = stretches[-1] if stretches else None
            if last and last.orientation == definite[index] and not self._is_hole(last.last, index):
                last.last = index
            else:
                stretches.append(Stay(int(definite[index]), index))
        stays = []
        for stretch in stretches:
            if self.seconds[stretch.last] - self.seconds[stretch.first] < LEAST_STAY_SECONDS:
                continue
            if stays and stays[-1].orientation == stretch.orientation:
                stays[-1].last = stretch.last
            else:
                stays.append(stretch)
        return stays

    def _is_hole(self, before, after):
        return self.seconds[after] - self.seconds[before] > LONGEST_HOLE_SECONDS and not self.known[before + 1 : after].all()

    def _accept_holding(self):
        def accept(first, end, orientation):
            self.acceptable[first:end, orientation] |= self.known[first:end]

        for stay in self.stays:
            accept(stay.first, stay.last + 1, stay.orientation)
        for stay, after in zip(self.stays, self.stays[1:]):
            accept(stay.last + 1, after.first, stay.orientation)
            accept(stay.last + 1, after.first, after.orientation)
        if self.stays:
            accept(0, self.stays[0].first, self.stays[0].orientation)
            accept(self.stays[-1].last + 1, len(self.seconds), self.stays[-1].orientation)
