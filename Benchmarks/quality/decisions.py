# SPDX-License-Identifier: Apache-2.0
"""What the daemon would have reported in a recording."""

import numpy as np

from programs import output_of, unexpected
from recordings import ORIENTATIONS, UNKNOWN

# Times are printed with rounding; a nanosecond decides nothing.
ROUNDING = 1e-9


class Decisions:
    """Changes: their times and their orientations."""

    def __init__(self, changes):
        self.changes = changes
        self.times = np.array([time for time, _ in changes])
        self._states = np.array([UNKNOWN] + [state for _, state in changes])

    def number_until(self, time):
        """How many changes there were until a time, or each of several times."""
        return np.searchsorted(self.times, time + ROUNDING, side="right")

    def state_at(self, time):
        """The last orientation that was reported until a time, or each of several times."""
        return self._states[self.number_until(time)]

    def first_to(self, orientation, after, before):
        """The first change to an orientation after a time and before another one, by its number; None without one."""
        for number in range(self.number_until(after), len(self.changes)):
            time, state = self.changes[number]
            if state == orientation and time < before:
                return number
        return None

    def without_faces(self):
        """Those of a screen that rotates: lying flat leaves it as it is."""
        uprights = [change for change in self.changes if change[1] < 4]
        return Decisions([c for number, c in enumerate(uprights) if number == 0 or uprights[number - 1][1] != c[1]])


def classify(orientationctl, recording, options):
    """The decisions of the daemon's pipeline on a recording."""
    changes = []
    for line in output_of([orientationctl, "classify", *options], recording):
        try:
            seconds, state = line.split(",")
            changes.append((float(seconds), state))
        except ValueError:
            raise unexpected(orientationctl, recording)
    return Decisions([(seconds, ORIENTATIONS.index(state)) for seconds, state in changes if state in ORIENTATIONS])
