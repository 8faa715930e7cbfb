# SPDX-License-Identifier: Apache-2.0
"""Functions that wait for events."""
import time


def wait_until(condition, timeout=10, what="condition"):
    """The first true value of condition(); TimeoutError, which names `what`, if there is none in time: a text, or a function that
    makes one of what is seen then."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what() if callable(what) else what}: not within {timeout} s")
        time.sleep(0.02)
