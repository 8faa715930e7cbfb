# SPDX-License-Identifier: Apache-2.0
"""The correct output of a classifier, from a reference gravity.

At each instant the orientation nearest to gravity is acceptable, and so is another one whose border lies less than 15
degrees away, both after z was weighed (`border.py`). If only one is acceptable, it is definite. A stay is a stretch with one
definite orientation that lasts at least a second; instants between its first and its last one with no definite orientation
belong to it, but it must be definite for half of its samples (a phone that lies at an angle in a pocket is not expected to
report either orientation). The steps from stay to stay are the changes that a person expects. Shorter visits are not stays: it
is correct to report them, and also to keep the orientation of the stay before (and, on the way to the next stay, to report that
one early).
"""

import numpy as np

from recordings import UNKNOWN, UP

ACCEPTABLE_DEGREES = 15
LEAST_STAY_SECONDS = 1.0
LEAST_STAY_SHARE = 0.5
# A hole in the reference that is longer ends a stay.
LONGEST_HOLE_SECONDS = 2.0
# At the start, a state is not judged for so long.
FREE_SECONDS = 1.0
# Samples are worth the time to the next one, but no more than this where there is a gap.
LONGEST_WORTH_SECONDS = 0.1


class Stay:
    """A stretch of time with one definite orientation."""

    def __init__(self, orientation, index):
        self.orientation = orientation
        self.first = index
        self.last = index


class Reference:
    """What is correct in a recording at each of its samples: the acceptable orientations, those of the instant alone
    (`momentary`) and those that may be held as well; the definite one; and the stays."""

    def __init__(self, recording, border, uprights_only):
        self._border = border
        self._uprights_only = uprights_only
        self.seconds = seconds = recording.reference_seconds
        self.worth = np.minimum(np.diff(seconds, append=seconds[-1] + np.median(np.diff(seconds))), LONGEST_WORTH_SECONDS)
        self.is_judged = seconds >= seconds[0] + FREE_SECONDS
        length = np.linalg.norm(recording.reference, axis=1)
        self.known = np.isfinite(length) & (length > 1e-6)
        self.up = np.where(self.known[:, None], recording.reference / np.where(self.known, length, 1)[:, None], 0)
        acceptable, indifferent = self.acceptable_for(self.up)
        self.momentary = acceptable & self.known[:, None]
        self.indifferent = indifferent & self.known
        self.definite = np.where(self.momentary.sum(axis=1) == 1, self.momentary.argmax(axis=1), UNKNOWN)
        self.stays = self._stays()
        self.acceptable = self.momentary.copy()
        self._accept_holding()

    def acceptable_for(self, up):
        """The orientations that are acceptable for each direction of gravity, and where any answer is.

        With four orientations, lying flat is none of them: any answer is right, even unknown."""
        along = self._border.weighed(up) @ UP.T
        lag = (along.max(axis=1, keepdims=True) - along) / np.sqrt(2)
        acceptable = np.degrees(np.arcsin(np.clip(lag, 0, 1))) < ACCEPTABLE_DEGREES
        acceptable[np.arange(len(up)), along.argmax(axis=1)] = True
        if not self._uprights_only:
            return acceptable, np.zeros(len(up), dtype=bool)
        indifferent = acceptable[:, 4:].any(axis=1)
        acceptable[indifferent, :4] = True
        acceptable[:, 4:] = False
        return acceptable, indifferent

    def _stays(self):
        stretches = []
        for index in np.flatnonzero(self.definite != UNKNOWN):
            last = stretches[-1] if stretches else None
            if last and last.orientation == self.definite[index] and not self._is_hole(last.last, index):
                last.last = index
            else:
                stretches.append(Stay(int(self.definite[index]), index))
        stays = []
        for stretch in stretches:
            if self.seconds[stretch.last] - self.seconds[stretch.first] < LEAST_STAY_SECONDS:
                continue
            if self.share_of(stretch.orientation, stretch.first, stretch.last) < LEAST_STAY_SHARE:
                continue
            if stays and stays[-1].orientation == stretch.orientation:
                stays[-1].last = stretch.last
            else:
                stays.append(stretch)
        return stays

    def share_of(self, orientation, first, last):
        """The share of the samples from `first` to `last` in which an orientation is the definite one."""
        return (self.definite[first : last + 1] == orientation).mean()

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
