#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Scores orientationctl on a folder of recordings with a reference gravity; `make quality` runs it.

usage: score.py ORIENTATIONCTL FOLDER [--each] [--groups FILE] [--only GROUP] [--config FILE] [--pace SENSOR] [--flat DEG]
                [--hertz R] [--noise MG] [--range G] [--bits N] [--lost PERCENT] [--attitudes N]

It prints two tables for all orientations, and two for the upright ones, as for the rotation of the screen: how the decisions
compare with the stays of the reference (`stays.py` defines the columns), and what a person notices (`person.py`). They have a
line for each group (`groups.py`). --flat is the border between lying flat and being upright (`border.py`). The options of the
second line score what a worse sensor would have read (`worse.py`), and the same movements in other attitudes (`attitudes.py`).
"""

import attitudes
import options
import worse
from border import Border, add_flat_option
from decisions import classify
from groups import Groups
from person import PersonCounts, score_person
from recordings import recordings_with_reference
from reference import Reference
from stays import StayCounts, score_stays
from tables import print_table
from unusable import BadOption, run


class Scores:
    """The rows of the two tables for all orientations, or for the upright ones only."""

    def __init__(self, title, border, uprights_only):
        self._title = title
        self._border = border
        self._uprights_only = uprights_only
        self._stays, self._person = [], []

    def take(self, recording, group, decisions):
        """Scores the decisions on a recording."""
        reference = Reference(recording, self._border, self._uprights_only)
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
    parser = options.Parser(__doc__)
    parser.add_argument("orientationctl")
    options.add_common(parser)
    paces = ("always", "polled", "on-change")
    parser.add_argument("--pace", choices=paces, help="how the sensor rests while the tablet lies still, as in orientationctl")
    parser.add_argument("--only", metavar="GROUP", help="score only this group")
    add_flat_option(parser)
    attitudes.add_option(parser)
    worse.add_options(parser)
    arguments = parser.parse_args()
    sensor = worse.WorseSensor(arguments)
    settings = ["--config", arguments.config] if arguments.config else []
    settings += ["--pace", arguments.pace] if arguments.pace else []
    groups = Groups(arguments.folder, arguments.groups)
    border = Border(arguments.flat)
    scores = [
        Scores("all orientations", border, uprights_only=False),
        Scores("upright orientations only", border, uprights_only=True),
    ]
    present = set()
    for recording in recordings_with_reference(arguments.folder):
        group = groups.of(recording)
        present.add(group)
        if arguments.only not in (None, group):
            continue
        for attitude in attitudes.in_attitudes(recording, arguments.attitudes):
            decisions = classify(arguments.orientationctl, sensor.recorded(attitude), settings)
            for score in scores:
                score.take(attitude, group, decisions)
    if scores[0].is_empty:
        raise BadOption(f"--only: there is no group '{arguments.only}'; the groups are: {', '.join(sorted(present))}")
    for score in scores:
        score.print(arguments.each)


run(main)
