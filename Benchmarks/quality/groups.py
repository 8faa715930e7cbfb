# SPDX-License-Identifier: Apache-2.0
"""The group of a recording: its line in the tables.

The first of these that says something decides:

  a file of groups    a CSV file `pattern,group`: the first pattern that matches the file's name, such as *Pocket*
  index.csv           in the folder of the recordings: the value in its column `group`, for the name in `file`
                      the same with its column `what`, up to a colon or a parenthesis
  the name            the part of the file's name before the first underscore
"""

import csv
import fnmatch
import os
import re

from recordings import recordings_in
from unusable import Unusable, missing_columns, note, the_columns


class Groups:
    """The groups of the recordings in a folder."""

    def __init__(self, folder, path):
        files = [os.path.basename(recording) for recording in recordings_in(folder)]
        self._patterns = _patterns(path) if path else []
        for pattern, _ in self._patterns:
            if not fnmatch.filter(files, pattern):
                note(f"{path}: no recording in {folder} has a name like {pattern}")
        index = os.path.join(folder, "index.csv")
        self._described = {}
        if os.path.exists(index):
            self._described = {row["file"]: _group_in(row) for _, row in _rows(index, ["file"])}

    def of(self, recording):
        """The group of a recording."""
        file = os.path.basename(recording.path)
        for pattern, group in self._patterns:
            if fnmatch.fnmatchcase(file, pattern):
                return group
        return self._described.get(file) or recording.name.split("_")[0]


def _patterns(path):
    patterns = []
    for number, row in _rows(path, ["pattern", "group"]):
        # What is missing is None, and what is too much has the name None.
        if None in row or not (row["pattern"] or "").strip() or not (row["group"] or "").strip():
            raise Unusable(f"{path}:{number}: a pattern and a group were expected, such as *Pocket*,in a pocket")
        patterns.append((row["pattern"], row["group"]))
    return patterns


def _group_in(row):
    return row.get("group") or re.split("[:(]", row.get("what") or "")[0].strip()


def _rows(path, columns):
    """The rows of a file and their lines, counted from 1."""
    try:
        # A byte order mark is no part of the first name.
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            names = reader.fieldnames or []
            missing = [name for name in columns if name not in names]
            if missing:
                raise missing_columns(path, missing, ",".join(names))
            return [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error):
        raise Unusable(f"{path}: is not text in UTF-8; a CSV file with {the_columns(columns)} was expected")
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}; a CSV file with {the_columns(columns)} was expected")
