# SPDX-License-Identifier: Apache-2.0
"""The public sets: where they are, whose they are, and what their files mean.

Each set yields its recordings: a name, and tables of the accelerometer and the gyroscope. These have seconds in the first column, and then
m/s² and rad/s in the axes of the screen, as Benchmarks/quality/README.md has them. Both clocks are the same."""

import glob
import os
import tempfile
import zipfile

import numpy as np

from gravity import GRAVITY

ON_PHONES = """
    Nexus5_Dist_AR Nexus5_NoDist_AR Nexus5_NoDist_FrontPocket Nexus5_NoDist_Phoning Nexus5_NoDist_RunningHand Nexus5_NoDist_Swinging
    Nexus5_NoDist_Texting iPhone4S_Dist_AR iPhone4S_Dist_Texting iPhone4S_NoDist_AR iPhone4S_NoDist_FrontPocket
    iPhone4S_NoDist_Phoning iPhone5_NoDist_AR iPhone5_NoDist_BackPocket iPhone5_NoDist_Phoning iPhone5_NoDist_RunningHand
    iPhone5_NoDist_RunningPocket iPhone5_NoDist_Swinging iPhone5_NoDist_Texting""".split()
CALIBRATIONS = "acc_Nexus5_d1 acc_Nexus5_d4 acc_iPhone4S_d2 acc_iPhone4S_d4 mag_Nexus5_d1 mag_Nexus5_d2".split()
INRIA = [f"Guillaume_{name}" for name in ON_PHONES] + [f"calib_{name}" for name in CALIBRATIONS]
MOTIONSENSE = """
    dws_11/sub_9 dws_1/sub_15 dws_2/sub_11 sit_13/sub_23 sit_5/sub_3 std_14/sub_21 std_6/sub_9 ups_12/sub_7 ups_3/sub_13 ups_3/sub_17
    ups_4/sub_1 ups_4/sub_21 wlk_15/sub_9 wlk_7/sub_3 wlk_7/sub_21 wlk_8/sub_1 wlk_8/sub_19""".split()
# The first that is part of a name decides, as in Benchmarks/quality/README.md.
GROUPS = {
    "Running": "running", "jog": "running", "Texting": "in the hand", "AR": "in the hand", "Phoning": "in the hand", "Swinging": "swinging",
    "Pocket": "in a pocket", "ms_": "in a pocket", "calib_mag": "figures of eight", "calib_acc": "turned", "xio": "turned"}


class Unusable(Exception):
    """What is said of it names the file or the folder, and what was expected."""


def numbers(path, columns, separator=None):
    """The columns of a table of numbers, by their names in its first line or, if it has no names, by their places."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            if isinstance(columns[0], str):
                names = [name.strip() for name in file.readline().split(separator)]
                columns = [names.index(name) for name in columns]
            table = np.loadtxt(file, delimiter=separator, usecols=columns, ndmin=2)
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise Unusable(f"{path}: unknown layout, {error}") from error
    if len(table) < 100 or not np.all(np.isfinite(table)):
        raise Unusable(f"{path}: unknown layout, at least 100 lines of finite numbers were expected")
    return table


def inria(folder, everything):
    """Android: t x y z in seconds, m/s² and rad/s. iOS: the same with g, and the direction of gravity instead of up."""
    known = {os.path.basename(path): path for path in glob.glob(os.path.join(glob.escape(folder), "datasets/*/*")) if os.path.isdir(path)}
    chosen = INRIA
    if everything:
        chosen = sorted(name for name in known if name[0].isupper() or name.startswith(("calib_acc", "calib_mag")))
    for name in chosen:
        ios = "iPhone" in name
        path = known.get(name) or os.path.join(folder, "datasets", "ios" if ios else "android", name)
        acceleration = numbers(os.path.join(path, "accelerometer.txt"), range(4))
        rates = numbers(os.path.join(path, "gyroscope.txt" if ios else "gyroscope-calibrated.txt"), range(4))
        if ios:
            acceleration[:, 1:] *= -GRAVITY
        yield f"inria_{name}", acceleration, rates


def motionsense(folder, everything):
    """50 Hz; gravity and userAcceleration in g, in the direction of gravity, rotationRate in rad/s."""
    with tempfile.TemporaryDirectory() as unpacked:
        found = glob.glob(os.path.join(glob.escape(folder), "**/A_DeviceMotion_data*"), recursive=True)
        for archive in [path for path in found if path.endswith(".zip")]:
            try:
                zipfile.ZipFile(archive).extractall(unpacked)
            except zipfile.BadZipFile as error:
                raise Unusable(f"{archive}: damaged; copy it again") from error
        roots = found + glob.glob(os.path.join(unpacked, "**/A_DeviceMotion_data"), recursive=True)
        # Some copies have a folder of this name in a folder of this name.
        root = next((path for path in roots if glob.glob(os.path.join(glob.escape(path), "wlk_*"))), None)
        if root is None:
            raise Unusable(f"{folder}: unknown layout, the folder A_DeviceMotion_data with wlk_7/sub_1.csv and others was expected")
        chosen = MOTIONSENSE
        if everything:
            chosen = sorted(os.path.relpath(path, root)[:-4] for path in glob.glob(os.path.join(glob.escape(root), "*_*/sub_*.csv")))
        for name in chosen:
            names = [f"{quantity}.{axis}" for quantity in ("gravity", "userAcceleration", "rotationRate") for axis in "xyz"]
            table = numbers(os.path.join(root, f"{name}.csv"), names, ",")
            seconds = np.arange(len(table)) / 50
            trial, person = name.split("/sub_")
            yield (f"ms_{trial}_sub{int(person):02}", np.column_stack([seconds, -GRAVITY * (table[:, :3] + table[:, 3:6])]),
                   np.column_stack([seconds, table[:, 6:]]))


def xio(folder, _):
    """Seconds, deg/s and g; the board's axes are called the screen's."""
    names = ["Time (s)"] + [f"{sensor} {axis} ({unit})" for sensor, unit in (("Accelerometer", "g"), ("Gyroscope", "deg/s"))
                            for axis in "XYZ"]
    table = numbers(xio_file(folder), names, ",")
    yield ("xio_fusion_sensor_data", np.column_stack([table[:, 0], GRAVITY * table[:, 1:4]]),
           np.column_stack([table[:, 0], np.radians(table[:, 4:])]))


def xio_file(folder):
    """The file has had two names."""
    old = os.path.join(folder, "Examples/Python/sensor_data.csv")
    return old if os.path.exists(old) else os.path.join(folder, "Examples/Sensor Data.csv")


# For each set: how it is converted, how a copy of it is known, its licence and authors, and repositories with the files that are needed.
SETS = {
    "inria": (
        inria, lambda folder: os.path.isdir(os.path.join(folder, "datasets/android")),
        "CeCILL 2.1; T. Michel, P. Geneves, H. Fourati, N. Layaida: On Attitude Estimation with Smartphones, IEEE PerCom 2017",
        [("tyrex-team/benchmarks-attitude-smartphones", "7b070df5231ac78910ab076eeb026d2d8152a246",
          ["/LICENCE"] + [f"/datasets/*/{name}/{file}" for name in INRIA
                          for file in ("accelerometer.txt", "gyroscope.txt" if "iPhone" in name else "gyroscope-calibrated.txt")])]),
    "motionsense": (
        motionsense, lambda folder: bool(glob.glob(os.path.join(glob.escape(folder), "**/A_DeviceMotion_data*"), recursive=True)),
        "MIT, Copyright (c) 2018 Mohammad Malekzadeh; M. Malekzadeh, R. G. Clegg, A. Cavallaro, H. Haddadi: Mobile Sensor Data "
        "Anonymization, IoTDI 2019, doi:10.1145/3302505.3310068; the data are from a copy, the licence is from the authors",
        [("idocal/motionsense", "cc0ed713b6967d82b4be93e984ab04a517b109ce",
          ["A_DeviceMotion_data.zip"] + [f"**/A_DeviceMotion_data/**/{name}.csv" for name in MOTIONSENSE]),
         ("mmalekzadeh/motion-sense", "29e9d2cb2b4042f9466dafd7c810f95c4816061d", ["/LICENSE"])]),
    "xio": (
        xio, lambda folder: os.path.exists(xio_file(folder)), "MIT, Copyright (c) 2021 x-io Technologies",
        [("xioTechnologies/Fusion", "13ac76882d7a650a041e5f0dc4cf5279d57b7e1b", ["/LICENSE.md", "/Examples/Sensor Data.csv"])]),
}
