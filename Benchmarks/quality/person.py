# SPDX-License-Identifier: Apache-2.0
"""What a person notices of the decisions.

The screen is in view while the direction of gravity turns more slowly than 60 degrees a second, as the mean over the second around:
nobody reads a screen that tumbles, or that a runner carries. A pose is a time in view of at least a second with one definite
orientation (`reference.py`), definite for 70 per cent of its samples; it goes on over interruptions of less than 0.3 s, and over
longer ones in view while no other orientation is definite. Equal poses one after the other are one. A pose begins with the
device's arrival: its first definite sample, also if that is up to two seconds before it came into view. A turn is the step from a
pose to the next.

  view      minutes in view, without the first second
  wrong     share of them in which the state is not acceptable, in per cent: neither at that instant nor held. The orientation of
            a pose may be held until the arrival in the next one, whose orientation may be reported early, after the end of the pose
  flips/h   changes that no turn calls for, and that a person sees, because the screen is in view within half a second before or
            a second after; per hour in view. The first report is none
  turns     the number of turns
  late      turns that are not reported within a second of the arrival
  lost      those of them that are not reported within three seconds either, or not before the end of the pose
  fol50/95  how long after the arrival a turn is reported, in seconds: the median and the 95th percentile; a lost one counts 3 s
  stuck     seconds, in view or not, in stretches of two seconds and more in which the mean gravity of the second around contradicts
            the state: it is not acceptable for it. If the mean is shorter than 0.8 g (tumbling), it contradicts nothing
  longest   the longest of these stretches, in seconds
"""

import numpy as np

from poses import Sight
from recordings import UNKNOWN
from reference import FREE_SECONDS
from tables import Counts, percent, rate

LATE_SECONDS = 1.0
LOST_SECONDS = 3.0
# How long before and after a change a person must see the screen, to notice it.
SEEN_BEFORE_SECONDS = 0.5
SEEN_AFTER_SECONDS = 1.0
LEAST_STUCK_SECONDS = 2.0
# A stretch ends where there is no sample for so long.
LONGEST_GAP_SECONDS = 1.0


class PersonCounts(Counts):
    """What is counted."""

    HEADER = (
        f"{'view':>6} {'wrong %':>7} {'flips/h':>8} {'turns':>5} {'late':>5} {'lost':>5} {'fol50':>6} {'fol95':>6} "
        f"{'stuck s':>7} {'longest':>8}"
    )

    def __init__(self):
        self.seconds = self.wrong = 0.0
        self.flips = self.turns = self.late = self.lost = 0
        self.delays = []
        self.stuck = []

    def row(self):
        """A line of the table."""
        delays = ["-", "-"]
        if self.delays:
            delays = [f"{np.percentile(self.delays, share):.2f}" for share in (50, 95)]
        return (
            f"{self.seconds / 60:6.1f} {percent(self.wrong, self.seconds):>7} {rate(self.flips, self.seconds / 3600, 1):>8} "
            f"{self.turns:5d} {self.late:5d} {self.lost:5d} {delays[0]:>6} {delays[1]:>6} {sum(self.stuck):7.1f} {max(self.stuck, default=0):8.1f}"
        )


def score_person(reference, decisions):
    """Counts what a person notices."""
    counts = PersonCounts()
    sight = Sight(reference)
    rows, held = np.arange(len(reference.seconds)), decisions.state_at(reference.seconds)
    is_known = held != UNKNOWN
    right = is_known & sight.acceptable[rows, held] | reference.indifferent
    judged = sight.in_view & reference.is_judged
    counts.seconds = float(reference.worth[judged].sum())
    counts.wrong = float(reference.worth[judged & ~right].sum())
    counts.stuck = _stretches(reference.seconds, is_known & sight.contradicted[rows, held] & reference.is_judged)
    called_for = _count_turns(counts, reference.seconds, sight.poses, decisions)
    counts.flips = _flips(reference.seconds, sight, decisions, called_for)
    return counts


def _count_turns(counts, seconds, poses, decisions):
    """Counts the turns; returns the numbers of the changes that they called for."""
    called_for = set()
    for before, pose in zip(poses, poses[1:]):
        arrival = seconds[pose.arrival]
        delay = 0.0
        if decisions.state_at(arrival) == pose.orientation:
            # Reported on the way; unless it was held ever since an earlier pose.
            change = decisions.number_until(arrival) - 1
            if decisions.times[change] > seconds[before.last]:
                called_for.add(change)
        else:
            end = min(seconds[pose.last], arrival + LOST_SECONDS)
            change = decisions.first_to(pose.orientation, after=arrival, before=end)
            if change is None:
                delay = LOST_SECONDS
                counts.lost += 1
            else:
                delay = float(decisions.times[change] - arrival)
                called_for.add(change)
        counts.turns += 1
        counts.late += int(delay > LATE_SECONDS)
        counts.delays.append(delay)
    return called_for


def _flips(seconds, sight, decisions, called_for):
    flips = 0
    for number, time in enumerate(decisions.times):
        if number == 0 or number in called_for or time < seconds[0] + FREE_SECONDS:
            continue
        around = slice(*np.searchsorted(seconds, [time - SEEN_BEFORE_SECONDS, time + SEEN_AFTER_SECONDS]))
        flips += int(sight.in_view[around].any())
    return flips


def _stretches(seconds, is_stuck):
    """How long the stretches last in which the state is stuck, without the short ones."""
    stretches, last = [], None
    for index in np.flatnonzero(is_stuck):
        if last is not None and index == last + 1 and seconds[index] - seconds[last] < LONGEST_GAP_SECONDS:
            stretches[-1][1] = seconds[index]
        else:
            stretches.append([seconds[index], seconds[index]])
        last = index
    return [float(end - start) for start, end in stretches if end - start >= LEAST_STUCK_SECONDS]
