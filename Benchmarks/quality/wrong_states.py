#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long wrong states live in a folder of recordings with a reference gravity; `make quality` runs it.

usage: wrong_states.py WRONG-STATES FOLDER [--each] [--groups FILE] [--config FILE] [--flat DEG]

At every 5 s of a recording, the daemon's pipeline is started without an orientation, for the first report, and in each of the six
orientations: a new pipeline (fresh), and the one that has seen the recording until then (warm). Each goes on for 20 s. Starts
with less than 15 s left do not count. A state is wrong if it is not acceptable at that instant (`reference.py`, and `border.py`
for --flat); here, none is accepted because it was right before. It lives until the pipeline's state is acceptable for the first
time: because the pipeline reports another one, or because the device is turned there. Instants without a reference end no life,
and a start at one does not count. The table has a line for each group (`groups.py`):

  starts       the starts in a wrong orientation; fresh and warm are as many
  5 s, 15 s    the share of them in which it lives so long or longer, in per cent: for fresh pipelines, then for warm ones
  reports      the first reports of pipelines that were started without an orientation, with 10 s left after the report
  wrong        the share of them that are wrong when they are reported, in per cent
  10 s         the share of them that are wrong when they are reported, and live so long or longer
"""

import numpy as np

import options
from border import Border, add_flat_option
from decisions import Decisions
from groups import Groups
from programs import output_of, unexpected
from recordings import ORIENTATIONS, recordings_with_reference
from reference import Reference
from tables import Counts, percent, print_table
from unusable import note, run

SECONDS_AFTER_START = 20.0
LEAST_SECONDS_LEFT = 15.0
LONG_SECONDS = (5.0, 15.0)
LONG_REPORT_SECONDS = 10.0
# The life of a state that is not wrong. (Zero seconds is that of one that the next sample corrects.)
RIGHT = -1.0


class Lives(Counts):
    """How long wrong states lived, in seconds."""

    HEADER = f"{'starts':>7} {'fresh: 5 s':>10} {'15 s':>6} {'warm: 5 s':>10} {'15 s':>6} {'reports':>8} {'wrong %':>8} {'10 s %':>7}"

    def __init__(self):
        self.fresh = []
        self.warm = []
        # Of all first reports, also the right ones.
        self.reports = []

    def row(self):
        """A line of the table."""
        fresh, warm = ([_share(lives, seconds) for seconds in LONG_SECONDS] for lives in (self.fresh, self.warm))
        wrong = percent(np.count_nonzero(np.array(self.reports) != RIGHT), len(self.reports))
        return (
            f"{len(self.fresh):7d} {fresh[0]:>10} {fresh[1]:>6} {warm[0]:>10} {warm[1]:>6} "
            f"{len(self.reports):8d} {wrong:>8} {_share(self.reports, LONG_REPORT_SECONDS):>7}"
        )


def _share(lives, seconds):
    return percent(np.count_nonzero(np.array(lives) >= seconds), len(lives))


def runs_of(wrong_states, recording, config):
    """The decisions after each start: pairs of (start, history, assumed orientation) and the decisions."""
    runs = {}
    for line in output_of([wrong_states], recording, *config):
        if line.startswith("# "):
            note(line[2:])
        elif not line.startswith("start_s"):
            try:
                start, history, assumed, time, state = line.split(",")
                change = float(time), ORIENTATIONS.index(state)
                runs.setdefault((float(start), history, assumed), []).append(change)
            except ValueError:
                raise unexpected(wrong_states, recording)
    return {key: Decisions(changes) for key, changes in runs.items()}


def life(reference, decisions, end):
    """How long the first of the states is wrong, at most until `end`; RIGHT if it is not, None without a reference then."""
    begin, state = decisions.changes[0]
    samples = np.arange(*np.searchsorted(reference.seconds, [begin, end]))
    if len(samples) == 0 or not reference.known[samples[0]]:
        return None
    if reference.momentary[samples[0], state]:
        return RIGHT
    seconds = reference.seconds[samples]
    right = np.flatnonzero(reference.momentary[samples, decisions.state_at(seconds)])
    return float((seconds[right[0]] if len(right) else end) - begin)


def lives_in(reference, runs):
    """Measures the lives of all wrong states."""
    result = Lives()
    for (start, history, assumed), decisions in runs.items():
        end = min(start + SECONDS_AFTER_START, reference.seconds[-1])
        if end - start < LEAST_SECONDS_LEFT:
            continue
        seconds = life(reference, decisions, end)
        if seconds is None:
            continue
        if not assumed:
            if end - decisions.times[0] >= LONG_REPORT_SECONDS:
                result.reports.append(seconds)
        elif seconds != RIGHT:
            getattr(result, history).append(seconds)
    return result


def main():
    parser = options.Parser(__doc__)
    parser.add_argument("wrong_states")
    options.add_common(parser)
    add_flat_option(parser)
    arguments = parser.parse_args()
    groups = Groups(arguments.folder, arguments.groups)
    config = [arguments.config] if arguments.config else []
    border = Border(arguments.flat)
    rows = []
    for recording in recordings_with_reference(arguments.folder):
        reference = Reference(recording, border, uprights_only=False)
        lives = lives_in(reference, runs_of(arguments.wrong_states, recording, config))
        rows.append((recording.name, groups.of(recording), lives))
    print("\nall orientations: how long wrong states live")
    print_table(Lives, rows, arguments.each)


run(main)
