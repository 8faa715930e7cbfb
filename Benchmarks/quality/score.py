#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Scores orientationctl on a folder of recordings with a reference gravity; `make quality` runs it.

usage: score.py ORIENTATIONCTL FOLDER [--each] [--groups FILE] [--only GROUP] [--config FILE] [--pace SENSOR]
                [--hertz R] [--noise MG] [--range G] [--bits N] [--lost PERCENT] [--attitudes N]

It prints two tables for all orientations, and two for the upright ones, as for the rotation of the screen: how the decisions
compare with the stays of the reference (`stays.py` defines the columns), and what a person notices (`person.py`). They have a
line for each group (`groups.py`). The options of the second line score what a worse sensor would have read (`worse.py`), and the
same movements in other attitudes (`attitudes.py`).
"""

import argparse

import attitudes
import worse
from decisions import classify
from groups import Groups
from person import PersonCounts, score_person
from recordings import recordings_with_reference
from reference import Reference
from stays import StayCounts, score_stays
from tables import print_table


class Scores:
    """The rows of the two tables for all orientations, or for the upright ones only."""

    def __init__(self, title, uprights_only):
        self._title = title
        self._uprights_only = uprights_only
        self._stays, self._person = [], []

    def take(self, recording, group, decisions):
        """Scores the decisions on a recording."""
        reference = Reference(recording, self._uprights_only)
        if self._uprights_only:
            decisions = decisions.without_faces()
        self._stays.append((recording.name, group, score_stays(reference, decisions)))
        self._person.append((recording.name, group, score_person(reference, decisions)))

    @property
    def is_empty(self):
        """Whether there were no recordings."""
        return not self._stays

    def print(self, each):
        """Prints both tables."""
        print(f"\n{self._title}: compared with the stays")
        print_table(StayCounts, self._stays, each)
        print(f"\n{self._title}: what a person notices")
        print_table(PersonCounts, self._person, each)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("orientationctl")
    parser.add_argument("folder")
    parser.add_argument("--each", action="store_true", help="a line for each recording as well")
    parser.add_argument("--groups", help="a CSV file `pattern,group`: the groups of files by their names")
    parser.add_argument("--config", help="settings other than the defaults")
    parser.add_argument("--pace", help="how the sensor rests while the tablet lies still, as orientationctl takes it")
    parser.add_argument("--only", metavar="GROUP", help="score only this group")
    attitudes.add_option(parser)
    worse.add_options(parser)
    arguments = parser.parse_args()
    sensor = worse.WorseSensor(arguments)
    options = ["--config", arguments.config] if arguments.config else []
    options += ["--pace", arguments.pace] if arguments.pace else []
    groups = Groups(arguments.folder, arguments.groups)
    scores = [
        Scores("all orientations", uprights_only=False),
        Scores("upright orientations only", uprights_only=True),
    ]
    for recording in recordings_with_reference(arguments.folder):
        group = groups.of(recording)
        if arguments.only not in (None, group):
            continue
        for attitude in attitudes.in_attitudes(recording, arguments.attitudes):
            decisions = classify(arguments.orientationctl, sensor.recorded(attitude), options)
            for score in scores:
                score.take(attitude, group, decisions)
    if scores[0].is_empty:
        raise SystemExit(f"{arguments.folder}: no recording in the group {arguments.only}")
    for score in scores:
        score.print(arguments.each)


main()
