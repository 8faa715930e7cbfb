# SPDX-License-Identifier: Apache-2.0
"""Compares the journal of the unit with the events: each line needs an event that explains it."""
import json
import re
import subprocess
import threading
import time
from collections import Counter

from systemd_service import TIMEOUT

SENSOR_FOUND = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0c"
NO_SENSOR = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0b"
POLLED = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c08"
BUFFER_WORKS_AGAIN = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c17"
WRONG_LINE = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c01"
TAKEN_INTO_USE = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c40"
TAKES_RESTART = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c41"
# systemd's own words on a unit (sd-messages.h), in the order of a life.
STARTING = "7d4958e842da4a758f6c1cdc7b36dcc5"
STARTED = "39f53479d3a045ac8e11786248231fbf"
STOPPING = "de5b426a63be47a7b6ac3eaac82e2f6f"
SUCCEEDED = "7ad2d189f7e94e70a38c781354912448"
PROCESS_EXIT = "98e322203f7a4ed290d09fe03c09fe15"
FAILED = "d9b373ed55a64feb8242e02dbe79a49c"
STOPPED = "9d1aaa27d60140bd96365438aad20286"
CONSUMED = "ae8f7b866b0347b9af31fe1c80b127c0"
RESTART_SCHEDULED = "5eb03494b6584870a536b337290809b3"
RELOADING = "d34d037fff1847e6ae669a370e694725"
RELOADED = "7b05ebc668384222baa8881179cfda54"
# It has no id in systemd 257; 252 does not say it.
FROZEN_OR_THAWED = "frozen or thawed"

WORDS = {SENSOR_FOUND: "accelerometer found", NO_SENSOR: "no accelerometer", POLLED: "polled instead of buffered",
         BUFFER_WORKS_AGAIN: "buffer works again", WRONG_LINE: "wrong line of the configuration",
         TAKEN_INTO_USE: "configuration reloaded", TAKES_RESTART: "needs a restart", RELOADING: "systemd: reloading",
         RELOADED: "systemd: reloaded", STARTING: "systemd: starting", STARTED: "systemd: started",
         STOPPING: "systemd: stopping", SUCCEEDED: "systemd: ended well", PROCESS_EXIT: "systemd: process ended",
         FAILED: "systemd: failed", STOPPED: "systemd: stopped", CONSUMED: "systemd: time used",
         RESTART_SCHEDULED: "systemd: restart scheduled", FROZEN_OR_THAWED: "systemd: frozen or thawed"}
START = (STARTING, STARTED)
STOP = (STOPPING, SUCCEEDED, STOPPED, CONSUMED)
RELOAD = (RELOADING, RELOADED)
CRASH = (PROCESS_EXIT, FAILED, RESTART_SCHEDULED, CONSUMED)
HOUR = 3600


class UnitJournal:
    """Follows the journal of a unit, while it lives (`with UnitJournal(...) as it:`)."""

    def __init__(self, unit):
        self._unit = unit
        self._lines = []
        self._position = 0
        self._expected = Counter()
        self._possible = Counter()
        self._reasons = self._reasons_before = ()
        self._told_at = {}          # text: seconds
        self._recovery_is_due = False
        self.counts = Counter()

    def __enter__(self):
        self._journalctl = subprocess.Popen(["journalctl", "--follow", "--no-tail", f"--after-cursor={last_cursor()}",
                                             "--output=json", f"--unit={self._unit}"], stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._journalctl.kill()
        self._journalctl.wait()

    def expect(self, *ids):
        """One line of each must come."""
        self._expected.update(ids)

    def allow(self, **times_of_id):
        """So many lines of each may come: what depends on who is faster."""
        self._possible.update(times_of_id)

    def allow_polling(self, *reasons):
        """Of the event that comes, and not of others: why a sensor is polled. Each reason may be told once in an hour of the
        daemon's life, and then that the buffer works again. A line may come late, after the event."""
        self._reasons_before, self._reasons = self._reasons, reasons

    def daemon_starts(self):
        """It does not know what the one before has told."""
        self._told_at.clear()
        self._recovery_is_due = False

    def arrive(self, lines):
        self._lines.extend(lines)

    def unexplained(self):
        """The lines since the last time that nothing explains."""
        arrived = self._lines[self._position:]
        self._position += len(arrived)
        return [self._words(line) for line in arrived if not self._is_explained(line)]

    def settle(self):
        """Both of what was said without a reason and of what was not said, once all has been written; then all is forgotten."""
        subprocess.run(["journalctl", "--sync"], check=True, timeout=TIMEOUT)
        time.sleep(1)
        wrong = [f"nothing explains: {line}" for line in self.unexplained()]
        wrong += [f"not said: {WORDS[id]}" for id in self._expected.elements()]
        self._expected.clear()
        self._possible.clear()
        return wrong

    def _is_explained(self, line):
        id = id_of(line)
        self.counts[id] += 1
        if id == POLLED and self._is_news(str(line.get("MESSAGE"))):
            self._recovery_is_due = True
            return True
        if id == BUFFER_WORKS_AGAIN and self._recovery_is_due:
            self._recovery_is_due = False
            return True
        for explanation in (self._expected, self._possible):
            if explanation[id] > 0:
                explanation[id] -= 1
                return True
        return False

    def _is_news(self, text):
        now = time.monotonic()
        is_news = now - self._told_at.get(text, -HOUR) >= HOUR
        if is_news and any(re.search(reason, text) for reason in (*self._reasons, *self._reasons_before)):
            self._told_at[text] = now
            return True
        return False

    @staticmethod
    def _words(line):
        return f"{line.get('SYSLOG_IDENTIFIER')}: {line.get('MESSAGE')} ({line.get('MESSAGE_ID')})"

    def _read(self):
        for line in self._journalctl.stdout:
            self.arrive([json.loads(line)])


def id_of(line):
    is_of_systemd = line.get("SYSLOG_IDENTIFIER") == "systemd"
    if is_of_systemd and re.search(r": Unit now (frozen|thawed)\.$", str(line.get("MESSAGE"))):
        return FROZEN_OR_THAWED
    return line.get("MESSAGE_ID", "")


def last_cursor():
    """Where the journal ends now."""
    line = subprocess.run(["journalctl", "--lines=1", "--output=json"], capture_output=True, text=True, check=True,
                          timeout=TIMEOUT).stdout
    return json.loads(line)["__CURSOR"]
