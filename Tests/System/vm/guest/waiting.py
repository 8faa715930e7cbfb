# SPDX-License-Identifier: Apache-2.0
"""Functions that wait for events."""
import time

# How many times longer than in a quiet guest something may take: other guests, and the machine below them, may be busy. Whoever waits
# for what has to come loses nothing by that; who waits for what may not come divides by it.
BUSY = 4


def wait_until(condition, timeout=10, what="condition"):
    """The first true value of condition(); TimeoutError, which names `what`, if there is none in time: a text, or a function that
    makes one of what is seen then. `timeout` is that of a quiet guest."""
    deadline = time.monotonic() + BUSY * timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what() if callable(what) else what}: not within {BUSY * timeout} s")
        time.sleep(0.02)
