#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Scores orientationctl on a folder of recordings with a reference gravity; `make quality` runs it.

usage: score.py ORIENTATIONCTL FOLDER [--each] [--config FILE] [--pace SENSOR]

The table has a line for each group: the part of the file name before the first underscore, or the value in the column `group`
of the folder's index.csv (`file,group`).

  right     share of the time in which the state is acceptable, in per cent; the first second is free, unknown is wrong
  excess/m  changes in addition to those that a person expects, per minute
  expected  the changes that a person expects: steps from a stay of a second and more to the next
  missed    expected changes whose orientation was not reported before the device left it again
  lat50/95  how long after the device arrived it was reported, in seconds: the median and the 95th percentile
"""

import argparse
import csv
import os
import subprocess
import tempfile

import numpy as np

from recordings import ORIENTATIONS, UNKNOWN, Recording, recordings_in
from reference import Reference

FREE_SECONDS = 1.0
# Samples are worth the time to the next one, but no more than this where there is a gap.
LONGEST_WORTH_SECONDS = 0.1
# Times are printed with rounding; a nanosecond decides nothing.
ROUNDING = 1e-9


class Score:
    """What was counted, over one recording or several."""

    def __init__(self):
        self.seconds = self.right = 0.0
        self.changes = self.expected = self.followed = self.missed = 0
        self.delays = []

    def add(self, other):
        """Counts another one's counts as well."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def row(self, title):
        """A line of the table."""
        minutes = max(self.seconds / 60, 1e-9)
        delays = ["-", "-"]
        if self.delays:
            delays = [f"{np.percentile(self.delays, share):.2f}" for share in (50, 95)]
        return (
            f"{title[:44]:44} {minutes:6.1f} {100 * self.right / max(self.seconds, 1e-9):7.2f} "
            f"{(self.changes - self.followed) / minutes:9.2f} {self.expected:9d} {self.missed:7d} {delays[0]:>6} {delays[1]:>6}"
        )


HEADER = f"{'':44} {'min':>6} {'right %':>7} {'excess/m':>9} {'expected':>9} {'missed':>7} {'lat50':>6} {'lat95':>6}"


def classify(orientationctl, recording, options):
    """The changes that the daemon would have reported: their times and their orientations."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as plain:
        recording.write_plain(plain)
        command = [orientationctl, "classify", *options, plain.name]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    rows = [line.split(",") for line in lines]
    return [(float(seconds), ORIENTATIONS.index(state)) for seconds, state in rows if state in ORIENTATIONS]


def without_faces(changes):
    """The changes of a screen that rotates: lying flat leaves it as it is."""
    uprights = [change for change in changes if change[1] < 4]
    return [change for index, change in enumerate(uprights) if index == 0 or uprights[index - 1][1] != change[1]]


def score(reference, changes):
    """Counts how the changes compare with the reference."""
    result = Score()
    seconds = reference.seconds
    times = np.array([time for time, _ in changes])
    states = np.array([UNKNOWN] + [state for _, state in changes])

    def state_at(time):
        return states[np.searchsorted(times, time + ROUNDING, side="right")]

    worth = np.minimum(np.diff(seconds, append=seconds[-1] + np.median(np.diff(seconds))), LONGEST_WORTH_SECONDS)
    counted = reference.known & (seconds >= seconds[0] + FREE_SECONDS)
    held = state_at(seconds)
    right = (held != UNKNOWN) & reference.acceptable[np.arange(len(seconds)), held] | reference.indifferent
    result.seconds = float(worth[counted].sum())
    result.right = float(worth[counted & right].sum())

    for time, _ in changes[1:]:
        sample = max(np.searchsorted(seconds, time + ROUNDING, side="right") - 1, 0)
        result.changes += int(time >= seconds[0] + FREE_SECONDS and reference.known[sample])
    for before, stay, after in zip(reference.stays, reference.stays[1:], reference.stays[2:] + [None]):
        result.expected += 1
        arrival = seconds[stay.first]
        end = seconds[after.first] if after else max(seconds[stay.last], seconds[-1])
        if state_at(arrival) == stay.orientation:
            result.delays.append(0.0)
            # Reported on the way; unless it was held ever since an earlier stay.
            reported = times[np.searchsorted(times, arrival + ROUNDING, side="right") - 1]
            result.followed += int(reported > seconds[before.first])
            continue
        later = [time for time, state in changes if arrival + ROUNDING < time < end and state == stay.orientation]
        if later:
            result.delays.append(later[0] - arrival)
            result.followed += 1
        else:
            result.missed += 1
    return result


def groups_in(folder):
    """The groups that the folder's index.csv gives to its files; none without such a column."""
    path = os.path.join(folder, "index.csv")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        return {row["file"]: row["group"] for row in csv.DictReader(file) if row.get("group")}


def table(title, scores, each):
    """Prints the scores of each group and of all together; with `each`, of each recording as well."""
    print(f"\n{title}\n{HEADER}")
    groups, everything = {}, Score()
    for name, group, result in scores:
        if each:
            print(result.row(name))
        groups.setdefault(group, Score()).add(result)
        everything.add(result)
    for name in sorted(groups):
        print(groups[name].row(name))
    print(everything.row("all"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orientationctl")
    parser.add_argument("folder")
    parser.add_argument("--each", action="store_true", help="a line for each recording as well")
    parser.add_argument("--config", help="settings other than the defaults")
    parser.add_argument("--pace", help="how the sensor rests while the tablet lies still, as orientationctl takes it")
    arguments = parser.parse_args()
    options = ["--config", arguments.config] if arguments.config else []
    options += ["--pace", arguments.pace] if arguments.pace else []
    groups = groups_in(arguments.folder)
    seven, four = [], []
    for path in recordings_in(arguments.folder):
        recording = Recording(path)
        if recording.reference is None:
            print(f"{os.path.basename(path)} has no reference and is passed over")
            continue
        changes = classify(arguments.orientationctl, recording, options)
        group = groups.get(os.path.basename(path), recording.name.split("_")[0])
        seven.append((recording.name, group, score(Reference(recording, uprights_only=False), changes)))
        uprights = Reference(recording, uprights_only=True)
        four.append((recording.name, group, score(uprights, without_faces(changes))))
    if not seven:
        raise SystemExit(f"{arguments.folder}: no recording with a reference")
    table("all orientations", seven, arguments.each)
    table("upright orientations only, as for the rotation of the screen", four, arguments.each)


main()
