# SPDX-License-Identifier: Apache-2.0
"""What is counted in a posture, for one classifier.

As a screen shows it: only the upright orientations count, and lying flat leaves the screen as it is. The reference is the attitude
that was intended, without the springing of the hand, but with sway. It is definite as in `quality/reference.py`, with one
difference: a screen that rises by --upright degrees or more has one right state; one that rises by less may show any. A turn is
the step from a stay of a second or more to the next one; it has arrived at the first definite instant.

  turns     turns; where the recording begins in the posture, the start is one
  lost      turns that are not reported within three seconds, or not before the end of the stay
  50%, 95%  seconds from the arrival to the report: the median and the 95th percentile; a lost one counts 3 s
  unw/h     changes that no turn calls for, per hour
  wrong     seconds a minute in which the state is wrong, of stretches of a second and more
"""

import numpy as np

from border import Border
from recordings import UNKNOWN
from reference import ACCEPTABLE_DEGREES, FREE_SECONDS, Reference
from tables import Counts, rate

LOST_SECONDS = 3.0
LEAST_WRONG_SECONDS = 1.0


def expected(recording, upright):
    """The reference, in which the dead band between lying flat and being upright ends at a rise of `upright` degrees."""
    weight = np.tan(np.radians(upright)) / np.tan(np.radians(45 + ACCEPTABLE_DEGREES))
    return Reference(recording, Border(np.degrees(np.arctan(weight))), uprights_only=True)


class PostureCounts(Counts):
    """What is counted."""

    HEADER = f"{'lost':>4} {'50%':>5} {'95%':>5} {'unw/h':>6} {'wrong':>5}"

    def __init__(self):
        self.seconds = self.wrong = 0.0
        self.turns = self.lost = self.unwanted = 0
        self.delays = []

    def median(self):
        """The median delay; a dash if most turns are lost."""
        middle = np.median(self.delays) if self.delays else LOST_SECONDS
        return "-" if middle >= LOST_SECONDS else f"{middle:.2f}"

    def row(self):
        """The part of a line of the table that is about one classifier."""
        lost, delays = "-", ["-", "-"]
        if self.turns:
            lost, delays = self.lost, [f"{np.percentile(self.delays, share):.2f}" for share in (50, 95)]
        return (
            f"{lost:>4} {delays[0]:>5} {delays[1]:>5} {rate(self.unwanted, self.seconds / 3600, 0):>6} "
            f"{rate(self.wrong, self.seconds / 60, 1):>5}"
        )


def count(reference, decisions, first_counts):
    """Counts in one recording."""
    counts = PostureCounts()
    counts.seconds = float(reference.seconds[-1] - reference.seconds[0])
    called_for = _count_turns(counts, reference, decisions, first_counts)
    counts.unwanted = sum(
        number > 0 and number not in called_for and time >= reference.seconds[0] + FREE_SECONDS
        for number, time in enumerate(decisions.times)
    )
    counts.wrong = _wrong_seconds(reference, decisions)
    return counts


def _count_turns(counts, reference, decisions, first_counts):
    """Counts the turns; returns the numbers of the changes that they called for."""
    called_for, seconds, before = set(), reference.seconds, None
    for stay in reference.stays:
        arrival, left = seconds[stay.first], seconds[before.last] if before else -np.inf
        end = min(seconds[stay.last], arrival + LOST_SECONDS)
        is_right = decisions.state_at(arrival) == stay.orientation
        change = decisions.first_to(stay.orientation, left, arrival + 1e-6) if is_right else None
        change = change if is_right else decisions.first_to(stay.orientation, arrival, end)
        called_for.add(change)
        if before or first_counts:
            delay = 0.0 if is_right else LOST_SECONDS if change is None else float(decisions.times[change] - arrival)
            counts.turns += 1
            counts.lost += int(delay >= LOST_SECONDS)
            counts.delays.append(delay)
        before = stay
    return called_for


def _wrong_seconds(reference, decisions):
    state = decisions.state_at(reference.seconds)
    is_right = reference.acceptable[np.arange(len(state)), state] & (state != UNKNOWN)
    is_wrong = ~is_right & ~reference.indifferent & reference.is_judged
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_wrong, [False]])))
    lengths = (edges[1::2] - edges[::2]) * np.median(np.diff(reference.seconds))
    return float(lengths[lengths >= LEAST_WRONG_SECONDS].sum())
