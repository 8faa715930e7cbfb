#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the machine stood still. A daemon cannot be on time then, so a test that failed meanwhile says nothing about it, and is run
once more.

standstill.py FILE...: appends a line to each file for each such moment and processor, until it is killed or its parent has ended.
"""
import os
import sys
import threading
import time

PAUSE = 0.1                         # seconds between two looks
# The shortest, in seconds, that a test may notice: the daemon answers some calls after 0.5 s, whatever it has by then. Where the
# processors only have much to do, a thread that sleeps most of the time is late by less.
SHORTEST = 0.4
# After so many seconds more, one that has just ended is noticed.
NOTICED = 2 * PAUSE


def slept():
    """How long the machine has slept since it was booted."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)


class Standstill:
    """Looks from a thread on each processor: one may stand still alone."""

    def __init__(self, see=lambda seconds: None):
        self._times = []
        self._see = see
        for processor in sorted(os.sched_getaffinity(0)):
            threading.Thread(target=self._look_from, args=(processor,), daemon=True).start()

    def _look_from(self, processor):
        os.sched_setaffinity(0, {processor})    # of this thread only
        last, slept_before = time.monotonic(), slept()
        while True:
            time.sleep(PAUSE)
            now, slept_now = time.monotonic(), slept()
            late = now - last - PAUSE
            # Around a machine's sleep, the clock runs while programs do not.
            if late >= SHORTEST and slept_now - slept_before < PAUSE:
                self._times.append((now, late))
                self._see(late)
            last, slept_before = now, slept_now

    def longest_since(self, began):
        """The seconds of the longest that ended after a time of the monotonic clock; 0 if there was none."""
        time.sleep(NOTICED)
        return max((seconds for end, seconds in self._times if end > began), default=0)


def main(files):
    def write(seconds):
        for file in files:
            with open(file, "a", encoding="utf-8") as log:
                log.write(f"the machine stood still for {seconds:.1f} s\n")

    parent, _ = os.getppid(), Standstill(write)
    while os.getppid() == parent:
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1:])
