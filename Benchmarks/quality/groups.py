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


class Groups:
    """The groups of the recordings in a folder."""

    def __init__(self, folder, path):
        self._patterns = []
        if path:
            self._patterns = [(row["pattern"], row["group"]) for row in _rows(path, {"pattern", "group"})]
        index = os.path.join(folder, "index.csv")
        self._described = {}
        if os.path.exists(index):
            self._described = {row["file"]: _group_in(row) for row in _rows(index, {"file"})}

    def of(self, recording):
        """The group of a recording."""
        file = os.path.basename(recording.path)
        for pattern, group in self._patterns:
            if fnmatch.fnmatchcase(file, pattern):
                return group
        return self._described.get(file) or recording.name.split("_")[0]


def _group_in(row):
    return row.get("group") or re.split("[:(]", row.get("what") or "")[0].strip()


def _rows(path, columns):
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        missing = columns - set(reader.fieldnames or [])
        if missing:
            raise SystemExit(f"{path}: the columns {', '.join(sorted(missing))} are missing")
        return list(reader)
