# SPDX-License-Identifier: Apache-2.0
"""How decisions compare with the stays of a reference.

  right     share of the time in which the state is acceptable, in per cent; the first second is free, unknown is wrong
  excess/m  changes in addition to those that a person expects, per minute
  expected  the changes that a person expects: steps from a stay (`reference.py`) to the next
  missed    expected changes whose orientation was not reported before the device left it again
  lat50/95  how long after the device arrived it was reported, in seconds: the median and the 95th percentile
"""

import numpy as np

from decisions import ROUNDING
from recordings import UNKNOWN
from reference import FREE_SECONDS
from tables import Counts, percent, rate


class StayCounts(Counts):
    """What is counted."""

    HEADER = f"{'min':>6} {'right %':>7} {'excess/m':>9} {'expected':>9} {'missed':>7} {'lat50':>6} {'lat95':>6}"

    def __init__(self):
        self.seconds = self.right = 0.0
        self.changes = self.expected = self.followed = self.missed = 0
        self.delays = []

    def row(self):
        """A line of the table."""
        minutes = self.seconds / 60
        delays = ["-", "-"]
        if self.delays:
            delays = [f"{np.percentile(self.delays, share):.2f}" for share in (50, 95)]
        return (
            f"{minutes:6.1f} {percent(self.right, self.seconds):>7} {rate(self.changes - self.followed, minutes, 2):>9} "
            f"{self.expected:9d} {self.missed:7d} {delays[0]:>6} {delays[1]:>6}"
        )


def score_stays(reference, decisions):
    """Counts how the decisions compare with the reference."""
    counts = StayCounts()
    seconds = reference.seconds
    held = decisions.state_at(seconds)
    right = (held != UNKNOWN) & reference.acceptable[np.arange(len(seconds)), held] | reference.indifferent
    judged = reference.known & reference.is_judged
    counts.seconds = float(reference.worth[judged].sum())
    counts.right = float(reference.worth[judged & right].sum())
    for time, _ in decisions.changes[1:]:
        sample = max(np.searchsorted(seconds, time + ROUNDING, side="right") - 1, 0)
        counts.changes += int(time >= seconds[0] + FREE_SECONDS and reference.known[sample])
    _count_expected(counts, reference, decisions)
    return counts


def _count_expected(counts, reference, decisions):
    seconds = reference.seconds
    for before, stay, after in zip(reference.stays, reference.stays[1:], reference.stays[2:] + [None]):
        counts.expected += 1
        arrival = seconds[stay.first]
        end = seconds[after.first] if after else max(seconds[stay.last], seconds[-1])
        if decisions.state_at(arrival) == stay.orientation:
            counts.delays.append(0.0)
            # Reported on the way; unless it was held ever since an earlier stay.
            reported = decisions.times[decisions.number_until(arrival) - 1]
            counts.followed += int(reported > seconds[before.first])
            continue
        change = decisions.first_to(stay.orientation, after=arrival, before=end)
        if change is None:
            counts.missed += 1
        else:
            counts.delays.append(float(decisions.times[change] - arrival))
            counts.followed += 1
