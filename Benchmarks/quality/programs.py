# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a recording, which gets it as a temporary file; what the program says about that file, the user reads with the
name of the recording."""

import re
import subprocess
import tempfile

from unusable import Unusable, note


def output_of(program, recording, *arguments):
    """The lines that a program prints about a recording, whose file is its last argument but those given."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as plain:
        recording.write_plain(plain)
        try:
            run = subprocess.run([*program, plain.name, *arguments], capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise Unusable(f"{program[0]}: cannot be run: {error.strerror}; build it, and give its path")
    output = run.stdout.splitlines()
    said = [_renamed(line, plain.name, recording) for line in run.stderr.splitlines() if line.strip()]
    if run.returncode:
        last = [_renamed(line, plain.name, recording) for line in output[-1:]]
        raise Unusable(f"{recording.path}: {program[0]} {_failure(run.returncode, said or last)}")
    for line in said:
        # A line of a file is the same in each run. Anything else, such as wake-ups, is about this one.
        note(line if re.search(r":\d+: ", line) else f"{recording.name}: {line}")
    return output


def unexpected(program, recording):
    """The error for a program that prints something else than it should."""
    return Unusable(f"{recording.path}: {program} printed something unexpected; give the path of the right program")


def _renamed(line, plain, recording):
    """With the recording's path and line instead of those of the temporary file, whose second line is the first sample."""

    def place(found):
        number = int(found[1]) - 2 if found[1] else -1
        return f"{recording.path}:{recording.lines[number]}" if 0 <= number < len(recording.lines) else recording.path

    return re.sub(re.escape(plain) + r"(?::(\d+))?", place, line)


def _failure(code, said):
    if code < 0:
        return f"was ended by signal {-code}" + (f": {said[0]}" if said else "")
    # The tools that ArgumentParser makes begin their errors with this; the lines after it are help.
    reason = next((line.removeprefix("Error: ") for line in said if line.startswith("Error: ")), said[-1] if said else None)
    return f"failed: {reason}" if reason else f"failed with the status {code}"
