# SPDX-License-Identifier: Apache-2.0
"""The count of the tests, from the lines that the guest prints as it goes."""
import os


class TestTally:
    """In CI a skipped test counts as a failed one: nobody would notice it there."""

    def __init__(self):
        self._count = {"ok": 0, "FAIL": 0, "skip": 0}

    def take_line(self, line):
        print(line, end="", flush=True)
        verdict = line.split(" ", 1)[0]
        if verdict in self._count:
            self._count[verdict] += 1

    def bad(self, guest_failed):
        return bool(guest_failed or self._count["FAIL"] or (self._count["skip"] and os.environ.get("CI")))

    def summary(self, guest_failed):
        """A guest that ended badly without a failed test is a failure of its own."""
        failed = self._count["FAIL"] or int(guest_failed)
        text = f"{self._count['ok']} passed, {failed} failed"
        return text + (f", {self._count['skip']} skipped" if self._count["skip"] else "")
