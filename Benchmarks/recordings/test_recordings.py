#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts small made-up copies of the sets in their real layouts, and compares the results with the movement that was made up."""

import contextlib
import csv
import gzip
import importlib.machinery
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("recordings_script", os.path.join(HERE, "../../scripts/recordings"))
script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(script)
import sets  # noqa: E402, the folder is known since the script was loaded

GRAVITY = 9.80665
SECONDS = np.arange(0, 8, 0.02)


def movement():
    """A phone that is turned from portrait to landscape and raised, and shaken; its gyroscope drifts by 1 degree a second."""
    roll = 1.5 / (1 + np.exp(-6 * (SECONDS - 3)))
    pitch = 0.5 * np.sin(SECONDS)
    up = np.column_stack([np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch), np.sin(pitch)])
    # The part of the turn about gravity is not seen in gravity.
    rates = np.cross(np.gradient(up, SECONDS, axis=0), up) + 0.3 * up + np.radians(1)
    force = GRAVITY * up
    force[:, 2] += 2 * np.sin(20 * SECONDS)
    return force, rates, GRAVITY * up


FORCE, RATES, UP = movement()


def write(path, rows, header=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    separator = "," if header else " "
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{header}\n" if header else "")
        file.writelines(separator.join(f"{value:.6f}" for value in row) + "\n" for row in rows)


def write_inria(folder):
    write(f"{folder}/LICENCE", [])
    for name in sets.INRIA:
        ios = "iPhone" in name
        phone, start = f"{folder}/datasets/{'ios' if ios else 'android'}/{name}", 58202.2 if ios else 0.4
        write(f"{phone}/accelerometer.txt", np.column_stack([SECONDS + start, FORCE / -GRAVITY if ios else FORCE]))
        # It begins before and ends after the other, and has other times.
        times = np.arange(-0.1, 8.1, 0.013)
        rates = np.column_stack([np.interp(times, SECONDS, axis) for axis in RATES.T])
        write(f"{phone}/gyroscope{'' if ios else '-calibrated'}.txt", np.column_stack([times + start, rates]))


def write_motionsense(folder):
    share = 0.3 * FORCE / -GRAVITY
    rows = np.column_stack([np.arange(len(SECONDS)), np.zeros((len(SECONDS), 3)), FORCE / -GRAVITY - share, RATES, share])
    quantities = ("gravity", "rotationRate", "userAcceleration")
    header = ",attitude.roll,attitude.pitch,attitude.yaw," + ",".join(f"{name}.{axis}" for name in quantities for axis in "xyz")
    for name in sets.MOTIONSENSE:
        write(f"{folder}/data/A_DeviceMotion_data/A_DeviceMotion_data/{name}.csv", rows, header)


def write_xio(folder):
    sensors = (("Gyroscope", "deg/s"), ("Accelerometer", "g"), ("Magnetometer", "uT"))
    header = "Time (s)," + ",".join(f"{name} {axis} ({unit})" for name, unit in sensors for axis in "XYZ")
    rows = np.column_stack([SECONDS, np.degrees(RATES), FORCE / GRAVITY, np.zeros((len(SECONDS), 3))])
    write(f"{folder}/Examples/Sensor Data.csv", rows, header)
    write(f"{folder}/LICENSE.md", [])


class Recordings(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.target = f"{self.folder}/target"

    def run_script(self, *options):
        """What it says if it fails, else None."""
        before = os.path.lexists(self.target)
        with mock.patch("sys.argv", ["recordings", self.target, *options]), contextlib.redirect_stdout(io.StringIO()):
            try:
                script.main()
            except SystemExit as end:
                self.assertEqual(os.path.lexists(self.target), before, "a conversion that failed left its folder")
                return str(end)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith(".recordings")], [])
        return None

    def assert_is_the_movement(self, file):
        with gzip.open(f"{self.target}/{file}", "rt") as text:
            self.assertEqual(text.readline(), "t_s,ax,ay,az,gx,gy,gz\n")
            table = np.genfromtxt(text, delimiter=",")
        self.assertEqual(len(table), len(SECONDS))
        np.testing.assert_allclose(table[:, 0], SECONDS, atol=1e-3)
        np.testing.assert_allclose(table[:, 1:4], FORCE, atol=2e-3, err_msg=file)
        wrong = np.degrees(np.arccos(np.clip(np.sum(table[:, 4:] * UP, axis=1) / GRAVITY**2, -1, 1)))
        self.assertLess(np.max(wrong), 6, file)
        self.assertLess(np.median(wrong), 2, file)

    def test_each_layout_becomes_the_movement_with_its_reference(self):
        options = []
        for name, make in (("inria", write_inria), ("motionsense", write_motionsense), ("xio", write_xio)):
            make(f"{self.folder}/{name}")
            options += ["--from", f"{self.folder}/{name}"]
        self.assertIsNone(self.run_script(*options))
        with open(f"{self.target}/index.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 43)
        self.assertEqual({row["group"] for row in rows}, set(sets.GROUPS.values()))
        for row in rows:
            self.assert_is_the_movement(row["file"])
        with open(f"{self.target}/README.md", encoding="utf-8") as file:
            self.assertRegex(file.read(), "(?s)CeCILL 2.1.*Malekzadeh.*x-io")
        self.assertIn("xio-LICENSE.md", os.listdir(self.target))

    def serve(self, repository):
        """Makes a repository of this folder, with a later commit, and returns the number of the earlier one."""
        def git(*words):
            identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
            command = ["git", "-C", f"{self.folder}/{repository}", *identity, *words]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

        git("init", "--quiet")
        git("config", "uploadpack.allowFilter", "true")
        git("config", "uploadpack.allowAnySHA1InWant", "true")
        git("add", ".")
        git("commit", "--quiet", "--message=set")
        commit = git("rev-parse", "HEAD")
        git("commit", "--quiet", "--allow-empty", "--message=later")
        return commit

    def test_only_the_files_of_the_commit_are_fetched(self):
        served = {}
        for name, make in (("inria", write_inria), ("motionsense", write_motionsense), ("xio", write_xio)):
            *how, repositories = sets.SETS[name]
            for number, (repository, _, _) in enumerate(repositories):
                server = f"{self.folder}/{repository}"
                make(server) if number == 0 else write(f"{server}/LICENSE", [])
                for decoy in ("large.bin", "datasets/android/Other_Nexus5_NoDist_AR/accelerometer.txt"):
                    write(f"{server}/{decoy}", [[0]])
            served[name] = (*how, [(repository, self.serve(repository), patterns) for repository, _, patterns in repositories])
        with mock.patch.object(script, "SERVER", f"file://{self.folder}"):
            with mock.patch.dict(sets.SETS, served):
                self.assertIsNone(self.run_script())
            files = os.listdir(self.target)
            for file in files:
                if file.endswith(".gz"):
                    self.assert_is_the_movement(file)
            self.assertEqual(len(files), 43 + 2 + 3, "recordings, index and README, and licences")
            clone = f"{self.folder}/clone"
            repository, commit, patterns = served["xio"][-1][0]
            with contextlib.redirect_stdout(io.StringIO()):
                script.fetch(clone, repository, commit, patterns)
            self.assertEqual(sorted(os.listdir(clone)), [".git", "Examples", "LICENSE.md"])
            self.target += "-2"
            *how, _ = served["xio"]
            with mock.patch.dict(sets.SETS, xio=(*how, [(repository, "0" * 40, patterns)])):
                self.assertIn(f"commit {'0' * 40}: cannot be fetched", self.run_script("--only", "xio"))

    def test_what_cannot_be_converted_is_named(self):
        copy = f"{self.folder}/copy"
        os.mkdir(copy)
        self.assertRegex(self.run_script("--from", copy), f"{re.escape(copy)}: not a copy of a known set")
        write(f"{copy}/Examples/Sensor Data.csv", [[0, 0]], "Seconds,X")
        self.assertIn("Sensor Data.csv: unknown layout", self.run_script("--from", copy))
        write_xio(copy)
        os.mkdir(self.target)
        self.assertIn("target: exists", self.run_script("--from", copy))
        os.rmdir(self.target)
        write_inria(f"{self.folder}/phones")
        missing = f"{self.folder}/phones/datasets/ios/{sets.INRIA[-7]}/gyroscope.txt"
        os.unlink(missing)
        self.assertIn(f"{missing}: No such file", self.run_script("--from", f"{self.folder}/phones"))

    def test_a_hole_has_no_reference_across_it(self):
        acceleration, rates = np.column_stack([SECONDS, FORCE]), np.column_stack([SECONDS, RATES])
        # Turns of the device in a hole are unknown; less than two seconds beside one are too few for a mean.
        kept = (SECONDS < 5) | (SECONDS > 6.5)
        times, _, gravity = script.converted(acceleration[kept], rates[kept])
        known = np.isfinite(gravity[:, 0])
        self.assertTrue(np.all(known[times < 4.9]) and not np.any(known[times > 6.5]))
        self.assertTrue(np.any(np.isfinite(script.converted(acceleration, rates)[2][SECONDS > 6.5])))


if __name__ == "__main__":
    unittest.main()
