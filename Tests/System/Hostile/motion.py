# SPDX-License-Identifier: Apache-2.0
"""The motion socket from a program's side, as orientationd-motion(5) describes it."""

import array
import contextlib
import select
import socket
import struct
import time

VERSION = 0x314D444F
START, STOP = 1, 2
ACCELEROMETER, GYROSCOPE, GRAVITY = 1, 2, 3
SAMPLE, STATE = 1, 2
# Between two connections of an attacker, in seconds: the tests of the other bus, which run beside, need the processor too.
PAUSE = 0.0005
ACTIVE, WAITING, DENIED, LIMITS_EXCEEDED, INVALID_REQUEST = 2, 6, 8, 9, 10
REQUEST, RECORD = struct.Struct("<IHHII"), struct.Struct("<HHIQfffI")


def request(sensor=GRAVITY, interval=20_000, kind=START):
    return REQUEST.pack(VERSION, kind, sensor, interval, 0)


class Program:
    """A connection."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # It waits for a place in the queue of connections.
        self.socket.connect(str(path))
        self.socket.settimeout(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data, descriptors=(), flags=0):
        """False if the connection has ended, or the queue is full."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        try:
            self.socket.sendmsg([data], rights, socket.MSG_NOSIGNAL | socket.MSG_DONTWAIT | flags)
            return True
        except OSError:
            return False

    def record(self):
        """The next one; None at the end."""
        try:
            data = self.socket.recv(RECORD.size)
        except ConnectionError:
            return None
        return RECORD.unpack(data) if data else None

    def last_state(self, seconds=30):
        """The state that it stays in: the last one before the end of the connection, or before a sample, or a refusal."""
        state, deadline = None, time.monotonic() + seconds
        while time.monotonic() < deadline and (record := self.record()):
            if record[0] == SAMPLE:
                return ACTIVE
            state = record[-1]
            if state == DENIED:
                return state
        return state

    def samples(self, seconds):
        """How many come within a time, and how many were lost meanwhile."""
        count = lost = 0
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and (record := self.record()):
            count += record[0] == SAMPLE
            lost += record[2]
        return count, lost


# What other users do, for `users.Process`.

def never_read(path, connections, sensor, interval):
    """Starts streams that nobody reads."""
    programs = [Program(path) for _ in range(connections)]
    for program in programs:
        program.send(request(sensor, interval))
    yield len(programs)
    while True:
        yield [program.last_state(1) for program in programs]


def lingering_sockets(count, seconds):
    """Sockets that wait for their other end when they are closed; and those other ends."""
    server = socket.create_server(("127.0.0.1", 0))
    others, lingering = [], []
    for _ in range(count):
        connection = socket.create_connection(server.getsockname())
        others.append(server.accept()[0])
        connection.setblocking(False)
        try:
            while True:
                connection.send(bytes(65536))
        except BlockingIOError:
            pass
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))
        lingering.append(connection)
    return lingering, others


def send_lingering(path, count, seconds, before, data, flags):
    """Sends sockets that wait for their other end when they are closed, behind something else; whether the kernel let them pass."""
    lingering, others = lingering_sockets(count, seconds)
    program = Program(path)
    if before is not None:
        program.send(before)
    has_passed = program.send(data, [connection.fileno() for connection in lingering], flags)
    if has_passed:      # else it would wait itself
        for connection in lingering:
            connection.close()
    yield has_passed
    yield program.last_state()
    time.sleep(3600)


def leave_lingering(path, count, seconds):
    """Connects, sends a descriptor whose end takes long, and leaves. Then again and again with one that is closed at once; how many times
    within some seconds."""
    (lingering,), others = lingering_sockets(1, seconds)
    with Program(path) as program:
        assert program.send(request(), [lingering.fileno()])
        # The daemon has it still, and closes it last: else this would wait.
        lingering.close()
    yield "left"
    # The daemon has to have closed it, or to be doing so.
    time.sleep(0.2)
    connected, deadline = 0, time.monotonic() + 5
    while connected < count and time.monotonic() < deadline:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection, socket.socket() as sent:
            connection.setblocking(False)
            try:
                connection.connect(str(path))
            except BlockingIOError:     # the queue is full
                time.sleep(0.01)
                continue
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [sent.fileno()]))]
            with contextlib.suppress(BrokenPipeError):      # the daemon has refused it already
                connection.sendmsg([request()], rights, socket.MSG_NOSIGNAL)
            connected += 1
    yield connected
    time.sleep(3600)


def close_unread(path, seconds):
    """A program with records that it has not read sends such a socket and ends."""
    (lingering,), others = lingering_sockets(1, seconds)
    program = Program(path)
    program.send(request())
    select.select([program.socket], [], [], 30)
    yield "ready"
    program.send(request(), [lingering.fileno()])
    lingering.close()
    program.socket.close()
    yield "closed"
    time.sleep(3600)


def leave_half(path, count):
    """Connections whose queues are full, and that have sent a part of a request, are closed by halves."""
    programs = [Program(path) for _ in range(count)]
    for program in programs:
        program.send(request(ACCELEROMETER, 5000))
    time.sleep(2)
    for program in programs:
        program.send(request()[:7])
        program.socket.shutdown(socket.SHUT_WR)
    yield count
    time.sleep(3600)


def read_until_denied(path, seconds):
    """The states meanwhile, and whether there was a sample."""
    yield "ready"
    states, has_samples, deadline = [], False, time.monotonic() + seconds
    with Program(path) as program:
        program.send(request())
        while states[-1:] != [DENIED] and time.monotonic() < deadline and (record := program.record()):
            if record[0] == SAMPLE:
                has_samples = True
            else:
                states.append(record[-1])
    yield states, has_samples


def connect_again_and_again(path, seconds):
    yield "ready"
    deadline, count = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        try:
            with Program(path, timeout=1) as program:
                program.send(request())
                count += 1
        except OSError:
            pass
        time.sleep(PAUSE)
    yield count


def send_in_bytes(path, seconds):
    """Requests, one byte at a time, over another connection once the daemon has closed the last one; how many bytes."""
    yield "ready"
    deadline, count = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), Program(path, timeout=1) as program:
            while program.send(request()[count % REQUEST.size:][:1]) and time.monotonic() < deadline:
                count += 1
        count += -count % REQUEST.size
        time.sleep(PAUSE)
    yield count


def send_garbage(path, kinds, descriptors, seconds):
    """Bytes of all kinds, each time over another connection once the daemon has closed the last one."""
    yield "ready"
    deadline, count = time.monotonic() + seconds, 0
    while time.monotonic() < deadline:
        for data in kinds:
            try:
                with Program(path, timeout=1) as program:
                    while program.send(data, descriptors) and time.monotonic() < deadline:
                        count += 1
            except OSError:
                pass
            time.sleep(PAUSE)
    yield count
