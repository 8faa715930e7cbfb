# SPDX-License-Identifier: Apache-2.0
"""Functions that wait for events."""
import time

# How many times longer than in a quiet guest something may take: other guests, and the machine below them, may be busy. Whoever waits
# for what has to come loses nothing by that; who waits for what may not come divides by it.
BUSY = 4
# The first and the longest pause between two looks, in seconds, and how much longer each is than the one before: what looks takes
# the emulated processor from what is waited for.
FIRST_PAUSE, LONGEST_PAUSE, GROWTH = 0.02, 0.1, 1.4


def pauses():
    """How long to pause before each further look."""
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(GROWTH * pause, LONGEST_PAUSE)


def wait_until(condition, timeout=10, what="condition"):
    """The first true value of condition(); TimeoutError, which names `what`, if there is none in time: a text, or a function that
    makes one of what is seen then. `timeout` is that of a quiet guest."""
    deadline = time.monotonic() + BUSY * timeout
    for pause in pauses():
        # One look more once the time is over, however long the one before took.
        is_last = time.monotonic() > deadline
        value = condition()
        if value:
            return value
        if is_last:
            raise TimeoutError(f"{what() if callable(what) else what}: not within {BUSY * timeout} s")
        time.sleep(pause)
