# SPDX-License-Identifier: Apache-2.0
"""Reads the columns of a recording from its file."""

import gzip
import math
import zlib

import numpy as np

from unusable import Unusable, missing_columns

READINGS = ["t_s", "ax", "ay", "az"]
REFERENCE = ["gx", "gy", "gz"]
# More than a century of seconds; and far more than any reading. Squares of larger numbers might overflow.
LIMIT = 4e9


def read_samples(path):
    """The lines of a file that have samples, counted from 1, and its columns by their names. The reference may be missing."""
    try:
        # A byte order mark is no part of the first name.
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8-sig") as file:
            lines, names, rows = _parsed(file, path)
    except UnicodeDecodeError:
        raise Unusable(f"{path}: is not text in UTF-8; a CSV file was expected")
    except (EOFError, zlib.error):
        raise Unusable(f"{path}: its compressed data are damaged or cut off; copy it again")
    except gzip.BadGzipFile:
        raise Unusable(f"{path}: is damaged or not compressed by gzip; copy it again, or name it .csv if it is plain")
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}; remove it or make it readable")
    columns = dict(zip(names, np.array(rows).reshape(len(rows), len(names)).T))
    if len(rows) < 2 or not np.median(np.diff(columns["t_s"])) > 0:
        raise Unusable(f"{path}: two samples or more at different times were expected; remove it or record it again")
    return np.array(lines), columns


def _parsed(file, path):
    lines, rows, names, places = [], [], None, []
    for number, line in enumerate(file, start=1):
        line = line.strip()
        # `orientationctl record` writes remarks above the names of the columns.
        if not line or line.startswith("#"):
            continue
        words = line.split(",")
        if names is None:
            names = _names(path, line)
            places = [[word.strip() for word in words].index(name) for name in names]
            continue
        if len(words) <= max(places):
            raise Unusable(f"{path}:{number}: {max(places) + 1} columns were expected, not {len(words)}; mend or remove the line")
        rows.append([_value(words[place], name, path, number) for name, place in zip(names, places)])
        lines.append(number)
    return lines, names or _names(path, ""), rows


def _names(path, line):
    present = {word.strip() for word in line.split(",")}
    missing = [name for name in READINGS if name not in present]
    if missing:
        raise missing_columns(path, missing, line)
    return READINGS + (REFERENCE if present.issuperset(REFERENCE) else [])


def _value(word, name, path, number):
    """A number; not a number if the reference is unknown."""
    try:
        value = float(word)
    except ValueError:
        value = math.nan if not word.strip() else math.inf
    if -LIMIT < value < LIMIT or name in REFERENCE and math.isnan(value):
        return value
    raise Unusable(f"{path}:{number}: {name}: a number was expected, not '{word.strip()}'; mend or remove the line")
