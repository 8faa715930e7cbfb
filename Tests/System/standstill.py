#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the machine stood still: what a test finds of a daemon then, which could not be on time, says nothing about the daemon.

A test that failed in such a moment is run once more, at the end. As a program it prints a line for each such moment, until it is killed.
"""
import os
import threading
import time

PAUSE = 0.1                         # seconds between two looks
# The shortest, in seconds, that a test may notice: the daemon answers some calls after 0.5 s, whatever it has by then. Where the
# processors only have much to do, a thread that sleeps most of the time is late by less.
SHORTEST = 0.4


class Standstill:
    """Looks from a thread on each processor: one may stand still alone."""

    def __init__(self, see=lambda seconds: None):
        self._times = []
        self._see = see
        for processor in sorted(os.sched_getaffinity(0)):
            threading.Thread(target=self._look_from, args=(processor,), daemon=True).start()

    def _look_from(self, processor):
        os.sched_setaffinity(0, {processor})    # of this thread only
        last = time.monotonic()
        while True:
            time.sleep(PAUSE)
            now = time.monotonic()
            if now - last - PAUSE >= SHORTEST:
                self._times.append((now, now - last - PAUSE))
                self._see(now - last - PAUSE)
            last = now

    def longest_since(self, began):
        """The seconds of the longest that ended after a time of the monotonic clock; 0 if there was none."""
        # One that a test ends with is noticed when the thread looks again.
        time.sleep(2 * PAUSE)
        return max((seconds for end, seconds in self._times if end > began), default=0)


if __name__ == "__main__":
    Standstill(lambda seconds: print(f"the machine stood still for {seconds:.1f} s\n", end="", flush=True))
    threading.Event().wait()
