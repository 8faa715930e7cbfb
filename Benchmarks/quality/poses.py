# SPDX-License-Identifier: Apache-2.0
"""What a person sees of a recording: when the screen is in view, and in which poses; `person.py` says what these are."""

import numpy as np

from recordings import UNKNOWN

SLOWEST_UNREADABLE = 60.0
AROUND_SECONDS = 1.0
# The turns of gravity are measured over steps of this length: the noise of a reference is no turn.
STEP_SECONDS = 0.04
LEAST_POSE_SECONDS = 1.0
LEAST_POSE_SHARE = 0.7
# A pose goes on after an interruption that is shorter.
LONGEST_INTERRUPTION_SECONDS = 0.3
# The arrival in a pose is looked for so long before the pose comes into view.
LONGEST_ARRIVAL_SECONDS = 2.0
# A shorter mean of the direction of gravity, in g, is that of a device that tumbles.
LEAST_MEAN_LENGTH = 0.8


class Pose:
    """A time in view with one definite orientation, by its samples; `arrival` is its first one, also out of view."""

    def __init__(self, orientation, index):
        self.orientation = orientation
        self.arrival = self.first = self.last = index


class Sight:
    """What a person sees at each sample: whether the screen is in view, the orientations that are acceptable, those that
    the mean gravity contradicts; and the poses."""

    def __init__(self, reference):
        self._reference = reference
        self._count_around()
        weight = np.where(reference.known, reference.worth, 0)
        span = np.maximum(self._sum_around(weight), 1e-3)
        self.in_view = reference.known & (self._sum_around(self._turned()) / span < SLOWEST_UNREADABLE)
        self.contradicted = self._contradicted(self._sum_around(reference.up * weight[:, None]) / span[:, None])
        self.poses = self._poses()
        self.acceptable = reference.momentary.copy()
        self._accept_holding()

    def _count_around(self):
        seconds = self._reference.seconds
        self._first_around = np.searchsorted(seconds, seconds - AROUND_SECONDS / 2)
        self._end_around = np.searchsorted(seconds, seconds + AROUND_SECONDS / 2, side="right")

    def _sum_around(self, values):
        sums = np.concatenate([np.zeros((1,) + values.shape[1:]), np.cumsum(values, axis=0)])
        return sums[self._end_around] - sums[self._first_around]

    def _turned(self):
        """By how many degrees gravity turned in the time that each sample is worth."""
        seconds, up, known = self._reference.seconds, self._reference.up, self._reference.known
        step = max(1, int(round(STEP_SECONDS / np.median(np.diff(seconds)))))
        degrees = np.zeros(len(seconds))
        if len(seconds) <= step:
            return degrees
        chord = np.linalg.norm(up[step:] - up[:-step], axis=1)
        angle = np.degrees(2 * np.arcsin(np.clip(chord / 2, 0, 1)))
        elapsed = np.maximum(seconds[step:] - seconds[:-step], 1e-3)
        degrees[step:] = np.where(known[step:] & known[:-step], angle * self._reference.worth[step:] / elapsed, 0)
        return degrees

    def _contradicted(self, mean):
        length = np.linalg.norm(mean, axis=1)
        acceptable, indifferent = self._reference.acceptable_for(mean / np.maximum(length, 1e-6)[:, None])
        is_clear = self._reference.known & (length >= LEAST_MEAN_LENGTH) & ~indifferent
        return is_clear[:, None] & ~acceptable

    def _poses(self):
        reference, poses = self._reference, []
        for run in self._runs():
            if reference.seconds[run.last] - reference.seconds[run.first] < LEAST_POSE_SECONDS:
                continue
            if reference.share_of(run.orientation, run.first, run.last) < LEAST_POSE_SHARE:
                continue
            if poses and poses[-1].orientation == run.orientation:
                poses[-1].last = run.last
            else:
                run.arrival = self._arrival(run)
                poses.append(run)
        return poses

    def _runs(self):
        """The stretches in view with one definite orientation, of any length."""
        runs, definite = [], self._reference.definite
        for index in np.flatnonzero(self.in_view & (definite != UNKNOWN)):
            if runs and runs[-1].orientation == definite[index] and self._goes_on(runs[-1], index):
                runs[-1].last = index
            else:
                runs.append(Pose(int(definite[index]), index))
        return runs

    def _goes_on(self, run, index):
        if self._reference.seconds[index] - self._reference.seconds[run.last] < LONGEST_INTERRUPTION_SECONDS:
            return True
        between = slice(run.last, index + 1)
        definite = self._reference.definite[between]
        return bool(self.in_view[between].all() and ((definite == run.orientation) | (definite == UNKNOWN)).all())

    def _arrival(self, run):
        """The first definite sample of a pose, back through all that is not definite for another orientation."""
        reference, arrival, index = self._reference, run.first, run.first
        while index >= 0 and reference.seconds[run.first] - reference.seconds[index] < LONGEST_ARRIVAL_SECONDS:
            if not reference.known[index] or reference.definite[index] not in (run.orientation, UNKNOWN):
                break
            if reference.definite[index] == run.orientation:
                arrival = index
            index -= 1
        return arrival

    def _accept_holding(self):
        known = self._reference.known

        def accept(first, end, orientation):
            self.acceptable[first:end, orientation] |= known[first:end]

        for pose, after in zip(self.poses, self.poses[1:] + [None]):
            end = after.arrival if after else len(known)
            accept(pose.arrival, end, pose.orientation)
            if after:
                accept(pose.last + 1, end, after.orientation)
        if self.poses:
            accept(0, self.poses[0].arrival, self.poses[0].orientation)
