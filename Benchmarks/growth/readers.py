# SPDX-License-Identifier: Apache-2.0
"""Programs that read motion, all of them in this process."""
import select
import socket
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "Tests/System/vm/guest"))
from motion_client import ACCELEROMETER, RECORD, REQUEST, SAMPLE, START, VERSION, interval  # noqa: E402


class Readers:
    """Connections, each with a stream of the accelerometer. Use as a context manager."""

    def __init__(self, path, count, hertz):
        self._sockets = []
        self._poll = select.epoll()
        for _ in range(count):
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            connection.connect(path)
            connection.send(REQUEST.pack(VERSION, START, ACCELEROMETER, interval(hertz), 0))
            connection.setblocking(False)
            self._sockets.append(connection)
            self._poll.register(connection.fileno(), select.EPOLLIN)
        self._by_number = {connection.fileno(): connection for connection in self._sockets}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._poll.close()
        for connection in self._sockets:
            connection.close()

    def read(self, seconds):
        """Read for so long. Returns the samples that each connection received, with the milliseconds from their time to their arrival at
        it, as lists by time, and the number of those that were lost."""
        arrivals, lost = {}, 0
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for number, _ in self._poll.poll(0.1):
                data = self._by_number[number].recv(RECORD.size * 128)
                now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
                if not data:
                    raise SystemExit("the daemon has closed a connection")
                for start in range(0, len(data), RECORD.size):
                    kind, _, missing, nanoseconds, *_ = RECORD.unpack_from(data, start)
                    lost += missing
                    if kind == SAMPLE:
                        arrivals.setdefault(nanoseconds, []).append((now - nanoseconds) / 1e6)
        return arrivals, lost
