# SPDX-License-Identifier: Apache-2.0
"""Recordings of movements with a reference gravity, and the direction of gravity for each of the six orientations."""

import copy
import gzip
import os
import subprocess
import tempfile

import numpy as np

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
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
            # `orientationctl record` writes remarks above the names of the columns.
            names = next((line for line in file if not line.startswith("#")), "")
            columns = [word.strip() for word in names.split(",")]
            missing = {"t_s", "ax", "ay", "az"} - set(columns)
            if missing:
                raise SystemExit(f"{path}: the columns {', '.join(sorted(missing))} are missing")
            table = np.genfromtxt(file, delimiter=",", ndmin=2)
        column = {name: table[:, index] for index, name in enumerate(columns)}
        self.seconds = column["t_s"]
        self.acceleration = np.column_stack([column[name] for name in ("ax", "ay", "az")])
        # A sensor other than the one that recorded has its samples at other times than the reference.
        self.reference_seconds = self.seconds
        self.reference = None
        if {"gx", "gy", "gz"} <= set(columns):
            self.reference = np.column_stack([column[name] for name in ("gx", "gy", "gz")])

    def with_samples(self, seconds, acceleration):
        """The same with other samples."""
        other = copy.copy(self)
        other.seconds, other.acceleration = seconds, acceleration
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

    def output_of(self, program, *arguments):
        """The lines that a program prints about this recording, whose file is its last argument but those given."""
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as plain:
            self.write_plain(plain)
            run = subprocess.run([*program, plain.name, *arguments], check=True, stdout=subprocess.PIPE, text=True)
        return run.stdout.splitlines()


def recordings_in(folder):
    """The paths of the recordings in a folder, in the order of their names; its index.csv is none."""
    names = sorted(name for name in os.listdir(folder) if name.endswith((".csv", ".csv.gz")))
    return [os.path.join(folder, name) for name in names if not name.startswith("index.")]


def recordings_with_reference(folder):
    """The recordings in a folder that can be scored, one after the other; names the others."""
    count = 0
    for path in recordings_in(folder):
        recording = Recording(path)
        if recording.reference is None:
            print(f"{os.path.basename(path)} has no reference and is passed over")
            continue
        count += 1
        yield recording
    if count == 0:
        raise SystemExit(f"{folder}: no recording with a reference")
