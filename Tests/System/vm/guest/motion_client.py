# SPDX-License-Identifier: Apache-2.0
"""Programs that read motion from the daemon's socket, as orientationd-motion(5) describes it."""
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from waiting import BUSY, wait_until

PATH = "/run/orientationd/motion"
VERSION = 0x314D444F
START, STOP = 1, 2
ACCELEROMETER, GYROSCOPE, GRAVITY = 1, 2, 3
SAMPLE, STATE = 1, 2
(STARTING, ACTIVE, NO_SENSOR, FAILED, SUSPENDED, WAITING, STOPPED, DENIED, LIMITS_EXCEEDED, INVALID_REQUEST) = range(1, 11)

REQUEST = struct.Struct("<IHHII")
RECORD = struct.Struct("<HHIQfffI")
# What a program writes for each record: the record, and when it was received.
RECEIVED = struct.Struct(f"<{RECORD.size}sQ")
FLUSH = 0.1                         # seconds; otherwise the process that reads its output would have as much to do as the program


class Record(NamedTuple):
    kind: int
    sensor: int                     # 0: it concerns the connection
    lost: int
    nanoseconds: int                # on the boot-time clock
    x: float
    y: float
    z: float
    code: int                       # the state
    received: int = 0               # nanoseconds on the boot-time clock, if known

    @property
    def axes(self):
        return self.x, self.y, self.z

    @property
    def seconds(self):
        return self.nanoseconds / 1e9


class Records(list):
    """What a program has received."""

    def of(self, sensor):
        return Records(record for record in self if record.sensor == sensor)

    @property
    def samples(self):
        return Records(record for record in self if record.kind == SAMPLE)

    @property
    def states(self):
        return [record.code for record in self if record.kind == STATE]

    @property
    def lasting_states(self):
        """Without the one that the daemon does not send if it is over before there is time to."""
        return [state for state in self.states if state != STARTING]

    @property
    def lost(self):
        return sum(record.lost for record in self)

    @property
    def intervals(self):
        """Milliseconds between the times of samples."""
        times = [record.nanoseconds for record in self.samples]
        return [(after - before) / 1e6 for before, after in zip(times, times[1:])]

    def since(self, seconds, until=float("inf")):
        return Records(record for record in self if seconds <= record.seconds < until)


def interval(hertz):
    """Microseconds."""
    return round(1e6 / hertz)


class MotionClient:
    """A program that reads when it is asked to: in the kernel there is room for 80 records. Use as a context manager."""

    def __init__(self):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.connect(PATH)
        self.records = Records()
        self.is_closed = False              # by the daemon

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def start(self, sensor, hertz):
        self._socket.send(REQUEST.pack(VERSION, START, sensor, interval(hertz), 0))

    def stop(self, sensor):
        self._socket.send(REQUEST.pack(VERSION, STOP, sensor, 0, 0))

    def receive(self):
        """All that has arrived until now. Returns what arrived since the last time."""
        count = len(self.records)
        while not self.is_closed:
            try:
                record = self._socket.recv(RECORD.size, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except ConnectionResetError:    # after all that was sent
                record = b""
            if record:
                self.records.append(Record(*RECORD.unpack(record)))
            else:
                self.is_closed = True
        return Records(self.records[count:])

    def wait_for(self, condition, what, timeout=20):
        """Until condition(records since the call) is true; returns these records."""
        count = len(self.records)

        def is_there():
            self.receive()
            return condition(Records(self.records[count:]))
        wait_until(is_there, timeout, lambda: f"{what} (states {self.records.states}, {len(self.records.samples)} samples)")
        return Records(self.records[count:])

    def wait_for_state(self, state, sensor, timeout=20):
        return self.wait_for(lambda records: state in records.of(sensor).states, f"state {state} of sensor {sensor}", timeout)

    def wait_for_samples(self, count, sensor, timeout=20):
        return self.wait_for(lambda records: len(records.of(sensor).samples) >= count, f"{count} samples of sensor {sensor}",
                             timeout).of(sensor).samples

    def wait_for_sample_since(self, seconds, sensor, timeout=20):
        """One that was taken after a time on the boot-time clock."""
        self.wait_for(lambda _: self.records.of(sensor).samples.since(seconds), f"a sample of sensor {sensor} after {seconds}", timeout)

    def wait_for_end(self, timeout=20):
        """The daemon closes the connection."""
        self.wait_for(lambda _: self.is_closed, "the end of the connection", timeout)


class MotionProgram:
    """A process that reads all the time, and can be killed. Use as a context manager, which ends it."""

    def __init__(self, start=(), **rates):
        """`rates`: hertz, by the name of the sensor, such as accelerometer=200. `start`: a command that starts it, as somebody else."""
        words = [f"{name}={hertz}" for name, hertz in rates.items()]
        self._process = subprocess.Popen([*start, sys.executable, __file__, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._output, self._records = bytearray(), Records()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def records(self):
        whole = len(self._output) // RECEIVED.size * RECEIVED.size
        new = self._output[len(self._records) * RECEIVED.size:whole]
        self._records += [Record(*RECORD.unpack(record), received) for record, received in RECEIVED.iter_unpack(new)]
        return Records(self._records)

    def wait_for(self, condition, what, timeout=30):
        """Until condition(records) is true; returns the records."""
        wait_until(lambda: condition(self.records), timeout,
                   lambda: f"{what} (states {self.records.states}, {len(self.records.samples)} samples)")
        return self.records

    def wait_for_samples(self, count, timeout=30):
        """So many more than now."""
        wanted = len(self.records.samples) + count
        return self.wait_for(lambda records: len(records.samples) >= wanted, f"{count} samples", timeout)

    def wait_for_last_state(self, state, timeout=30):
        return self.wait_for(lambda records: records.states[-1:] == [state], f"state {state}", timeout)

    def end(self):
        """The program ends by itself."""
        if not self._process.stdin.closed:
            self._process.stdin.close()
        self._end()

    def kill(self):
        self._process.send_signal(signal.SIGKILL)
        self._process.stdin.close()
        self._end()

    def _end(self):
        self._process.wait(BUSY * 30)
        self._reading.join()

    def _read(self):
        with self._process.stdout as output:
            while data := output.read1():
                self._output += data


SENSORS = {"accelerometer": ACCELEROMETER, "gyroscope": GYROSCOPE, "gravity": GRAVITY}


def main(*words):
    """Writes what it receives until its input ends, or the daemon closes the connection."""
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    # It shall not lose samples because other programs of the guest are busy; only root may do this.
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(PATH)
    # The daemon may have closed the connection already. What it has said before can still be received.
    with contextlib.suppress(BrokenPipeError):
        for word in words:
            name, hertz = word.split("=")
            connection.send(REQUEST.pack(VERSION, START, SENSORS[name], interval(float(hertz)), 0))
    connection.settimeout(FLUSH)
    output, due = bytearray(), 0
    while True:
        try:
            record = connection.recv(RECORD.size)
        except TimeoutError:
            record = None
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        if record:
            output += RECEIVED.pack(record, now)
        if output and (not record or now > due):
            os.write(sys.stdout.fileno(), output)
            output.clear()
            due = now + FLUSH * 1e9
        if record == b"":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
