#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares orientationctl with the rules of other systems in simulated postures of people with tablets; `make quality` runs it.

usage: postures.py ORIENTATIONCTL [--trials N] [--seed S] [--only POSTURE] [--upright DEG] [--config FILE] [--write FOLDER]

The movements are computed (`path.py`, `motion.py`, `disturbances.py`, `sensor.py`): in the postures of `turning.py` the screen must
follow, and in those of `holding.py` it must stay as it is. `counts.py` defines the columns. The second table has the median delay of
turns by 90 degrees of a tablet that nothing else moves, by the rise of the screen. The third one has the time that rest adds when a
tablet is picked up from a table on which it has lain, if its sensor must be polled. Equal seeds make equal movements, for all
classifiers. --write writes the recordings into a folder, with a reference, for `make quality`.
"""

import functools
import os
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "quality"))

import android
import chromeos
import holding
import iio_sensor_proxy
import options
import turning
from counts import PostureCounts, count, expected
from decisions import Decisions, classify
from sensor import OFFSET_MILLI_G, Simulated
from unusable import BadOption, Unusable, run
from worse import DEFAULT_HERTZ, at_rate, seed_of

POSTURES = turning.POSTURES | holding.POSTURES
RISES = (20, 25, 30, 35, 40, 45, 50, 60, 70, 80)
# The others read as often as the daemon does.
OTHERS = {"Android": android.changes, "ChromeOS": chromeos.changes, "iio-sensor-proxy": iio_sensor_proxy.changes}
CLASSIFIERS = ["orientationd", *OTHERS]
TITLE_WIDTH = 16
MARGIN_DEGREES = 5


class Trials:
    """Classifies and counts simulated recordings."""

    def __init__(self, arguments):
        self._arguments = arguments
        self._settings = ["--config", arguments.config] if arguments.config else []

    def counts(self, name, posture, upright, offset=OFFSET_MILLI_G):
        """The counts of each classifier over the trials of a posture."""
        totals = [PostureCounts() for _ in CLASSIFIERS]
        for number in range(self._arguments.trials):
            motion = posture(np.random.default_rng([self._arguments.seed, seed_of(name), number]))
            recording = Simulated(f"{name}_{number:03d}", motion, offset)
            if self._arguments.write:
                self._write(recording)
            reference = expected(recording, upright)
            for total, decisions in zip(totals, self._decisions(recording)):
                total.add(count(reference, decisions, motion.first_counts))
        return totals

    def lost_by_rest(self, posture, upright):
        """For each turn of the trials of a posture, the seconds by which rest delays it, and how many turns it loses."""
        lost, delays = 0, []
        for number in range(self._arguments.trials):
            motion = posture(np.random.default_rng([self._arguments.seed, seed_of("rest"), number]))
            recording = Simulated(f"rest_{number:03d}", motion, OFFSET_MILLI_G)
            reference = expected(recording, upright)
            full, resting = (
                count(reference, classify(self._arguments.orientationctl, recording, options).without_faces(), False)
                for options in (self._settings, [*self._settings, "--pace", "polled"])
            )
            lost += resting.lost - full.lost
            # Who raises the edge that was up before sees no turn.
            delays += [after - before for before, after in zip(full.delays, resting.delays) if before or after]
        return lost, delays

    def _decisions(self, recording):
        yield classify(self._arguments.orientationctl, recording, self._settings).without_faces()
        kept = at_rate(recording.seconds, DEFAULT_HERTZ)
        for changes in OTHERS.values():
            yield Decisions(list(changes(recording.seconds[kept].tolist(), recording.acceleration[kept].tolist())))

    def _write(self, recording):
        path = os.path.join(self._arguments.write, f"{recording.name}.csv")
        try:
            recording.write_with_reference(path)
        except OSError as error:
            raise Unusable(f"{path}: {error.strerror}; --write needs a folder that exists")


def print_postures(trials, upright, names):
    """The first table."""
    width = len(PostureCounts.HEADER)
    print(f"\npostures; a screen that rises by less than {upright:g} degrees may show anything")
    print(f"{'':{TITLE_WIDTH + 6}}" + "".join(f"   {name:<{width}}" for name in CLASSIFIERS).rstrip())
    print(f"{'':{TITLE_WIDTH}} turns" + f"   {PostureCounts.HEADER}" * len(CLASSIFIERS))
    everything = [PostureCounts() for _ in CLASSIFIERS]

    def line(title, counts):
        print(f"{title:{TITLE_WIDTH}} {counts[0].turns:5d}" + "".join(f"   {each.row()}" for each in counts), flush=True)

    for name in names:
        counts = trials.counts(name, POSTURES[name], upright)
        for total, each in zip(everything, counts):
            total.add(each)
        line(name, counts)
    line("all", everything)


def print_rises(trials, upright):
    """The second table."""
    print("\nclean turns by 90 degrees: the median delay in seconds, by the rise of the screen; a dash if most turns are lost")
    print(f"{'rise':>{TITLE_WIDTH}} turns" + "".join(f" {name:>17}" for name in CLASSIFIERS))
    for rise in RISES:
        # A turn on the edge of what counts would not count.
        lower = min(upright, rise - MARGIN_DEGREES)
        counts = trials.counts(f"rise-{rise}", functools.partial(turning.clean, rise=rise), lower, offset=0)
        print(f"{rise:{TITLE_WIDTH}d} {counts[0].turns:5d}" + "".join(f" {each.median():>17}" for each in counts), flush=True)


def print_rest(trials, upright):
    """The third table."""
    lost, delays = trials.lost_by_rest(turning.picked_up, upright)
    median, late, latest = np.percentile(delays, [50, 95, 100])
    print("\npicked up after 5 to 40 s on a table: the seconds that the rest of a polled sensor adds")
    print(f"{'':{TITLE_WIDTH}} turns lost   50%   95%  most")
    print(f"{'picked-up':{TITLE_WIDTH}} {len(delays):5d} {lost:4d} {median:5.2f} {late:5.2f} {latest:5.2f}", flush=True)


def main():
    parser = options.Parser(__doc__)
    parser.add_argument("orientationctl")
    parser.add_argument("--trials", type=options.number(1, 1000, int), default=50, metavar="N", help="trials of each posture; 50")
    parser.add_argument("--seed", type=options.number(0, 2**32, int), default=1, metavar="S", help="other movements; 1")
    parser.add_argument("--only", metavar="POSTURE", help="only this posture, and no other table")
    parser.add_argument("--upright", type=options.number(1, 89), default=25, metavar="DEG", help="a screen that rises by less may show anything; 25")
    parser.add_argument("--config", type=options.settings, metavar="FILE", help="settings other than the defaults")
    parser.add_argument("--write", metavar="FOLDER", help="write the recordings there")
    arguments = parser.parse_args()
    if arguments.only not in (None, *POSTURES):
        raise BadOption(f"--only: there is no posture '{arguments.only}'; the postures are: {', '.join(POSTURES)}")
    trials = Trials(arguments)
    print_postures(trials, arguments.upright, [arguments.only] if arguments.only else POSTURES)
    if not arguments.only:
        print_rises(trials, arguments.upright)
        print_rest(trials, arguments.upright)


if __name__ == "__main__":
    run(main)
