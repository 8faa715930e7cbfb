#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a recording and the reasons for the daemon's decisions; `make plot` runs it.

usage: plot.py EXPLAIN TRACE PICTURE [--config FILE] [--flat DEG] [--from SECONDS] [--to SECONDS]

From top to bottom: the readings of the sensor; gravity after the filter, and the reference if the recording has one; the
angle of gravity past the nearest border, as the classifier weighs it (below zero the reported orientation is the nearest), with the
band of hysteresis; evidence and doubt; the reported orientation and, if the recording has a reference, what is acceptable and what is
expected by it (`reference.py`, and `border.py` for --flat).
"""

import argparse

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Patch

from border import Border, add_flat_option
from programs import output_of
from recordings import ORIENTATIONS, UNKNOWN, Recording
from reference import Reference
from unusable import run

COLOURS = ["#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377"]
UNKNOWN_COLOUR = "#dddddd"
AXES = [("x", "#cc3311"), ("y", "#22aa22"), ("z", "#2233bb")]
# Knocks go far beyond; they are cut off, so that gravity can be seen.
LARGEST_SHOWN = 25


class Explanation:
    """What the pipeline made of a recording, by sample: gravity, doubt, evidence, state."""

    def __init__(self, explain, recording, config):
        lines = output_of([explain], recording, *([config] if config else []))
        table = np.genfromtxt(lines, delimiter=",", names=True, dtype=None, encoding="utf-8", comments="#")
        self.seconds = table["t_s"]
        self.gravity = np.column_stack([table["x"], table["y"], table["z"]])
        self.doubt = table["doubt"]
        self.evidence = table["evidence"]
        self.state = np.array([ORIENTATIONS.index(s) if s in ORIENTATIONS else UNKNOWN for s in table["state"]])
        # The angle of gravity past the nearest border of the reported orientation, in degrees; not a number if that is unknown.
        self.angle_past_border = table["past"]


def bands(axis, seconds, state, height, colours=COLOURS, alpha=1.0):
    """Draws stretches of one state as bars; height is (bottom, height)."""
    edges = np.flatnonzero(np.diff(state)) + 1
    starts = np.concatenate([[0], edges])
    ends = np.concatenate([edges, [len(state) - 1]])
    for start, end in zip(starts, ends):
        colour = UNKNOWN_COLOUR if state[start] == UNKNOWN else colours[state[start]]
        axis.broken_barh([(seconds[start], seconds[end] - seconds[start])], height, facecolors=colour, alpha=alpha)


def draw_reference(axis, recording, border):
    """The stays, bright, above what is acceptable at each instant, pale."""
    reference = Reference(recording, border, uprights_only=False)
    lane = 0.8 / len(ORIENTATIONS)
    for orientation in range(len(ORIENTATIONS)):
        acceptable = np.where(reference.acceptable[:, orientation], orientation, UNKNOWN)
        edges = np.concatenate([[0], np.flatnonzero(np.diff(acceptable)) + 1, [len(acceptable) - 1]])
        for start, end in zip(edges, edges[1:]):
            if acceptable[start] != UNKNOWN:
                span = (recording.seconds[start], recording.seconds[end] - recording.seconds[start])
                axis.broken_barh([span], (1 + lane * orientation, lane), facecolors=COLOURS[orientation], alpha=0.45)
    for stay in reference.stays:
        start, end = recording.seconds[stay.first], recording.seconds[stay.last]
        axis.broken_barh([(start, end - start)], (2, 0.8), facecolors=COLOURS[stay.orientation])


def draw_acceleration(read, filtered, recording, explanation):
    """What was read, and the gravity that the filter found in it."""
    for index, (name, colour) in enumerate(AXES):
        read.plot(recording.seconds, recording.acceleration[:, index], colour, linewidth=0.6, label=name)
        filtered.plot(explanation.seconds, explanation.gravity[:, index], colour, linewidth=0.9, label=name)
        if recording.reference is not None:
            filtered.plot(recording.seconds, recording.reference[:, index], colour, linewidth=0.9, linestyle=":")
    length = np.linalg.norm(recording.acceleration, axis=1)
    read.plot(recording.seconds, length, "black", linewidth=0.4, alpha=0.5, label="length")
    read.set_ylabel("read, m/s²")
    filtered.set_ylabel("filtered, m/s²" + ("" if recording.reference is None else "\n(dotted: reference)"))
    for axis in (read, filtered):
        # Above the axis, where no data is.
        axis.legend(loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1, ncols=4, fontsize="small", frameon=False)
        lowest, highest = axis.get_ylim()
        axis.set_ylim(max(lowest, -LARGEST_SHOWN), min(highest, LARGEST_SHOWN))


def draw_reasons(angle, evidence, explanation, hysteresis):
    """What decides: how far gravity is past a border, and whether it has been there for long enough."""
    angle.plot(explanation.seconds, explanation.angle_past_border, "black", linewidth=0.8)
    angle.axhspan(0, hysteresis, color="#ffdd88", alpha=0.6)
    angle.set_ylabel("past the border, °")
    angle.set_ylim(-46, 60)

    evidence.fill_between(explanation.seconds, np.clip(explanation.evidence, 0, 1), color="#225522", alpha=0.7, step="post")
    evidence.set_ylabel("evidence\n(1: change)")
    evidence.set_ylim(0, 1.02)
    doubt = evidence.twinx()
    doubt.semilogy(explanation.seconds, explanation.doubt, "#cc6600", linewidth=0.8)
    doubt.set_ylabel("doubt, times", color="#cc6600")
    doubt.set_ylim(1, 600)


def draw(recording, explanation, hysteresis, border):
    """The whole picture."""
    rows = ["reported"] if recording.reference is None else ["reported", "acceptable", "expected"]
    heights = [2.2, 2.2, 1.6, 1.6, 0.25 + 0.45 * len(rows)]
    figure, axes = plt.subplots(5, 1, figsize=(16, 2.8 + sum(heights)), sharex=True, height_ratios=heights)
    read, filtered, angle, evidence, states = axes
    draw_acceleration(read, filtered, recording, explanation)
    draw_reasons(angle, evidence, explanation, hysteresis)

    bands(states, explanation.seconds, explanation.state, (0, 0.8))
    if recording.reference is not None:
        draw_reference(states, recording, border)
    states.set_yticks([row + 0.4 for row in range(len(rows))], rows)
    states.set_ylim(-0.1, len(rows) - 0.1)
    states.set_xlabel("seconds")
    patches = [Patch(color=colour, label=name) for name, colour in zip(ORIENTATIONS, COLOURS)]
    figure.legend(handles=patches, loc="upper center", ncols=6, frameon=False)
    figure.suptitle(recording.name, x=0.01, ha="left", fontsize="medium")
    changes = explanation.seconds[1:][np.diff(explanation.state) != 0]
    for axis in axes[:4]:
        for change in changes:
            axis.axvline(change, color="grey", linewidth=0.5)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    return figure


def hysteresis_of(config):
    """The band of hysteresis, in degrees: from the settings, or the default."""
    degrees = 7.0
    if config:
        with open(config, encoding="utf-8") as file:
            for line in file:
                name, _, value = line.partition("=")
                if name.strip() == "Hysteresis":
                    degrees = float(value)
    return degrees


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("explain")
    parser.add_argument("trace")
    parser.add_argument("picture")
    parser.add_argument("--config", help="settings other than the defaults")
    add_flat_option(parser)
    parser.add_argument("--from", dest="start", type=float, help="the first second to show")
    parser.add_argument("--to", dest="end", type=float, help="the last second to show")
    arguments = parser.parse_args()
    recording = Recording(arguments.trace)
    explanation = Explanation(arguments.explain, recording, arguments.config)
    figure = draw(recording, explanation, hysteresis_of(arguments.config), Border(arguments.flat))
    figure.axes[0].set_xlim(
        recording.seconds[0] if arguments.start is None else arguments.start,
        recording.seconds[-1] if arguments.end is None else arguments.end,
    )
    figure.savefig(arguments.picture, dpi=90)


run(main)
