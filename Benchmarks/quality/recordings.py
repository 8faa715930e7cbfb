# SPDX-License-Identifier: Apache-2.0
"""Recordings of movements with a reference gravity, and the direction of gravity for each of the six orientations."""

import copy
import os

import numpy as np

from samples import READINGS, REFERENCE, read_samples
from unusable import Unusable, note, the_columns

ORIENTATIONS = ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight", "faceUp", "faceDown"]
UNKNOWN = -1

# The direction that is up when the device is held just so, in the screen's axes.
UP = np.array([[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]], dtype=float)


class Recording:
    """A CSV file, also compressed by gzip, with the columns t_s, ax, ay, az and, where there is a reference, gx, gy, gz.

    Lines that begin with # are remarks."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path).removesuffix(".gz").removesuffix(".csv")
        # The line of each sample, for messages.
        self.lines, column = read_samples(path)
        self.seconds = column["t_s"]
        self.acceleration = np.column_stack([column[name] for name in READINGS[1:]])
        # A sensor other than the one that recorded has its samples at other times than the reference.
        self.reference_seconds = self.seconds
        self.reference = None
        if set(REFERENCE) <= set(column):
            self.reference = np.column_stack([column[name] for name in REFERENCE])

    def with_samples(self, kept, acceleration):
        """The same with some of the samples, by their numbers, and other readings of these."""
        other = copy.copy(self)
        other.seconds, other.lines, other.acceleration = self.seconds[kept], self.lines[kept], acceleration
        return other

    def with_reference(self, name, seconds, reference):
        """The same with another name and reference."""
        other = copy.copy(self)
        other.name, other.reference_seconds, other.reference = name, seconds, reference
        return other

    def write_plain(self, file):
        """Writes what the pipeline needs, uncompressed and without the reference."""
        file.write("t_s,ax,ay,az\n")
        np.savetxt(file, np.column_stack([self.seconds, self.acceleration]), fmt="%.9g", delimiter=",")
        file.flush()


def recordings_in(folder):
    """The paths of the recordings in a folder, in the order of their names; its index.csv is none."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise Unusable(f"{folder}: {error.strerror}; give the folder of the recordings")
    return [os.path.join(folder, name) for name in names if name.endswith((".csv", ".csv.gz")) and not name.startswith("index.")]


def recordings_with_reference(folder):
    """The recordings in a folder that can be scored, one after the other; names the others."""
    count = 0
    for path in recordings_in(folder):
        recording = Recording(path)
        if recording.reference is None:
            note(f"{path}: has no reference ({the_columns(REFERENCE)}) and is passed over")
            continue
        count += 1
        yield recording
    if count == 0:
        raise Unusable(
            f"{folder}: no recording with a reference; a file *.csv or *.csv.gz with {the_columns(REFERENCE)} was expected"
        )
