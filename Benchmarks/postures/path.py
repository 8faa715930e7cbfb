# SPDX-License-Identifier: Apache-2.0
"""The way that a person moves a tablet: rests and turns one after the other.

The attitude has three angles, in degrees. The heading is a turn about the vertical. The rise is the angle of the screen above the
table: 0 lies flat with the screen up, 90 is vertical, above 90 the screen faces down. The roll is a turn about the axis through
the screen: 0 is portrait, 90 has the right edge up, 180 the top edge down.
"""

import numpy as np

# The wrist or the elbow springs: after a turn, the tablet goes a little past its end and back, at 2 to 4 Hz, which is the natural
# frequency of a forearm with a load; with the usual damping of a hand it has ended after two swings.
OVERSHOOT_SHARE = (0.005, 0.035)
OVERSHOOT_HERTZ = (2.0, 4.0)
OVERSHOOT_DECAY_SECONDS = (0.08, 0.2)
OVERSHOOT_ONSET_SECONDS = 0.1


class Turn:
    """One movement: when it begins, how long it takes, and by how much it changes the three angles and lifts the tablet."""

    def __init__(self, begin, seconds, by, lift):
        self.begin, self.seconds = begin, seconds
        self.by, self.lift = by, lift


class Path:
    """What a person intends."""

    def __init__(self, rise, roll=0.0):
        self._start = np.array([0.0, rise, roll])
        self._angles = self._start
        self._turns = []
        self.seconds = 0.0

    @property
    def roll(self):
        """The roll at the end."""
        return self._angles[2]

    @property
    def rise(self):
        """The rise at the end."""
        return self._angles[1]

    def rest(self, seconds):
        """Holds the tablet as it is."""
        self.seconds += seconds

    def turn(self, seconds, heading=0.0, rise=0.0, roll=0.0, lift=0.0):
        """Turns the tablet by some angles and lifts it by some metres."""
        self._turns.append(Turn(self.seconds, seconds, np.array([heading, rise, roll]), lift))
        self._angles = self._angles + self._turns[-1].by
        self.seconds += seconds

    def turn_to(self, seconds, rise, roll=None, lift=0.0):
        """Turns the tablet to a rise and a roll."""
        self.turn(seconds, 0, rise - self._angles[1], 0 if roll is None else roll - self._angles[2], lift)

    def face(self, roll):
        """Says with which roll the tablet will be raised from the table: lying flat, it has none, and nothing moves."""
        by = roll - self.roll
        self.turn(0.1, heading=-by, roll=by)

    def at(self, seconds):
        """The three angles and the height, in metres, at each of these times."""
        angles, height = np.tile(self._start, (len(seconds), 1)), np.zeros(len(seconds))
        for turn in self._turns:
            done = minimum_jerk((seconds - turn.begin) / turn.seconds)
            angles += done[:, None] * turn.by
            height += done * turn.lift
        return angles, height

    def overshoot(self, seconds, random):
        """By how much the angles at each of these times differ from what was intended."""
        angles = np.zeros((len(seconds), 3))
        for turn in self._turns:
            share, decay = random.uniform(*OVERSHOOT_SHARE), random.uniform(*OVERSHOOT_DECAY_SECONDS)
            after = np.maximum(seconds - turn.begin - turn.seconds, 0)
            swing = np.sin(2 * np.pi * random.uniform(*OVERSHOOT_HERTZ) * after) * np.exp(-after / decay)
            angles += (share * swing * minimum_jerk(after / OVERSHOOT_ONSET_SECONDS))[:, None] * turn.by
        return angles


def minimum_jerk(time):
    """The share of a movement that is done at a share of its time, from 0 to 1: people move such that the jerk is as small as
    possible (Flash and Hogan 1985)."""
    time = np.clip(time, 0, 1)
    return time**3 * (10 - 15 * time + 6 * time**2)
