# SPDX-License-Identifier: Apache-2.0
"""Programs that run during a test, and functions that wait for their results."""
import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

PATIENCE_SECONDS = 15


class GaveUp(Exception):
    """Something did not happen in time."""


def until(condition, what, seconds=PATIENCE_SECONDS):
    """Wait until a condition holds, and return what it gave. `what`: a text, or a function that makes one of what is seen at the end."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise GaveUp(f"in vain, for {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.05)
    return value


class Processes(contextlib.ExitStack):
    """The programs of one test and the folder of their logs; at its end the last one started is ended first."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder
        self.callback(self._await_those_of_buses)

    def _await_those_of_buses(self):
        """What a bus has started is nobody's child here. It ends when the bus has, and may write to the folder until then."""
        with contextlib.suppress(GaveUp):
            until(lambda: not self._numbers(), "the end of what a bus started", 10)
        for number in self._numbers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def _numbers(self):
        """Of all processes that are in the folder."""
        def is_here(process):
            try:
                return os.readlink(process / "cwd") == str(self.folder.resolve())
            except OSError:             # it has ended
                return False

        return [int(process.name) for process in Path("/proc").glob("[0-9]*") if is_here(process)]

    def start(self, name, *command, environment, **options):
        """Start a program, which ends with this one at the latest; its output is its log."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *map(str, command)], env=environment, stdin=subprocess.DEVNULL,
                stdout=log, stderr=subprocess.STDOUT, cwd=self.folder, start_new_session=True, **options)
        self.callback(end, process)
        return process

    def log(self, name):
        """What a program has written so far, line by line."""
        return (self.folder / f"{name}.log").read_text(errors="replace").splitlines()


def end(process):
    """End a program as a session's end does; by force if it does not obey."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
