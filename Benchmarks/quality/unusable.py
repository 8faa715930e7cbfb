# SPDX-License-Identifier: Apache-2.0
"""How the programs of this folder say that something cannot be used: one line on the standard error, and no traceback."""

import os
import sys

_noted = set()


class Unusable(Exception):
    """A file, a folder or a program cannot be used: which, why, and what to do."""

    status = 1


class BadOption(Unusable):
    """The options do not fit each other or the recordings."""

    status = 2


def run(main):
    """Runs a program."""
    try:
        main()
    except Unusable as error:
        _print(error)
        sys.exit(error.status)
    except OSError as error:
        # What is not about a file of the user, such as a full disk.
        _print(f"{error.filename}: {error.strerror}" if error.filename else error)
        sys.exit(1)


def note(text):
    """Says something that is no error, once."""
    if text not in _noted:
        _noted.add(text)
        _print(text)


def _print(text):
    sys.stdout.flush()
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr)


def listed(words):
    """Words in a sentence: `ax, ay and az`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def the_columns(names):
    """Columns in a sentence: `the column az`, `the columns ay and az`."""
    return f"the column{'s' if names[1:] else ''} {listed(names)}"


def missing_columns(path, missing, line):
    """The error for a file whose first line does not name all columns, with the cause if it can be seen."""
    hint = "; its first line must name them"
    if "\ufeff" in line:
        hint = "; there is a byte order mark inside its first line: remove it"
    for name, separator in (("semicolons", ";"), ("tabs", "\t")):
        if separator in line and "," not in line:
            hint = f"; there are {name} in its first line: separate the columns by commas"
    return Unusable(f"{path}: {the_columns(missing)} {'are' if missing[1:] else 'is'} missing{hint}")
