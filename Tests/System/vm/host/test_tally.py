# SPDX-License-Identifier: Apache-2.0
"""The count of the tests, from the lines that the guests print while they run."""
import threading

# The last is that of a test that failed while the guest stood still, and is run once more.
VERDICTS = ("ok", "FAIL", "skip", "late")
# Those whose line is followed by others that say why.
EXPLAINED = ("FAIL", "late")
NOTABLE = {"skip": "skipped", "late": "run once more"}


class TestTally:
    """A skipped test counts as a failed one: nobody would notice it."""

    def __init__(self):
        self._count = dict.fromkeys(VERDICTS, 0)
        self._failures = []
        self._lock = threading.Lock()

    def of_guest(self):
        """What takes the lines of one guest, while others talk too."""
        return GuestTally(self)

    def take(self, lines):
        """Takes in and prints a line and those that belong to it, which no other guest's come between."""
        with self._lock:
            print("".join(lines), end="", flush=True)
            verdict = _verdict(lines[0])
            if verdict in self._count:
                self._count[verdict] += 1
            if verdict == "FAIL":
                self._failures += lines

    def bad(self, guest_failed):
        return bool(guest_failed or self._count["FAIL"] or self._count["skip"])

    def summary(self, guest_failed):
        """What failed once more, as hundreds of lines may lie between, and the count. A guest that ended badly without a failed
        test is a failure of its own."""
        failed = self._count["FAIL"] or int(guest_failed)
        text = "".join(self._failures) + f"{self._count['ok']} passed, {failed} failed"
        return text + "".join(f", {self._count[verdict]} {word}" for verdict, word in NOTABLE.items() if self._count[verdict])


class GuestTally:
    """A failed test's line is followed by others of its own, so it waits for them."""

    def __init__(self, tally):
        self._tally = tally
        self._waiting = []

    def take_line(self, line):
        if self._waiting and line.startswith("        "):
            self._waiting.append(line)
            return
        self.end()
        if _verdict(line) in EXPLAINED:
            self._waiting = [line]
        else:
            self._tally.take([line])

    def end(self):
        if self._waiting:
            self._tally.take(self._waiting)
        self._waiting = []


def _verdict(line):
    return line.split(" ", 1)[0]
