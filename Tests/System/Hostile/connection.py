# SPDX-License-Identifier: Apache-2.0
"""A connection to a bus that can send any message that fits the wire format, valid or invalid."""

import array
import collections
import os
import socket
import time

import message
from message import CALL, ERROR, RETURN, SIGNAL, Message

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
# A bus that is full does not read; an attacker gives up then.
SEND_PATIENCE = 10


class Refused(Exception):
    """A call was answered with an error, of this name."""

    def __init__(self, reply):
        self.name = reply.error
        super().__init__(f"{reply.error}: {reply.body}")


class Connection:
    """Speaks as whoever this process is."""

    def __init__(self, address, descriptors=True, hello=True):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(SEND_PATIENCE)
        self.socket.connect(address.removeprefix("unix:path="))
        self.serial = 0
        self.buffer = bytearray()
        self.descriptors = []
        self.inbox = collections.deque()
        self.authenticate(descriptors)
        self.name = None
        if hello:
            self.name = self.ask_bus("Hello")[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()
        self.forget_descriptors()

    def fileno(self):
        return self.socket.fileno()

    def authenticate(self, descriptors):
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.geteuid()).encode().hex().encode() + b"\r\n")
        self.expect(b"OK")
        if descriptors:
            self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
            self.expect(b"AGREE_UNIX_FD")
        self.socket.sendall(b"BEGIN\r\n")

    def expect(self, word):
        line = b""
        while not line.endswith(b"\r\n"):
            part = self.socket.recv(1)
            if not part:
                raise ConnectionError("the bus has closed the connection")
            line += part
        if not line.startswith(word):
            raise ConnectionError(line.decode())

    # Sending

    def send(self, what, descriptors=()):
        """Sends a message; its serial number."""
        self.serial += 1
        if descriptors:
            what.descriptor_count = len(descriptors)
        self.send_bytes(what.encoded(self.serial), descriptors)
        return self.serial

    def send_again(self, encoded, descriptors=()):
        """Sends bytes of `Message.encoded` under a serial number of their own."""
        self.serial += 1
        self.send_bytes(message.with_serial(encoded, self.serial), descriptors)

    def send_bytes(self, data, descriptors=()):
        sent = 0
        if descriptors:
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
            sent = self.socket.sendmsg([data], rights)
        if sent < len(data):
            self.socket.sendall(memoryview(data)[sent:])

    # Receiving

    def receive(self, timeout):
        """The next message; None where none comes in time."""
        if self.inbox:
            return self.inbox.popleft()
        return self.receive_new(time.monotonic() + timeout)

    def receive_new(self, deadline):
        while True:
            length = message.expected_length(self.buffer)
            if length is not None and len(self.buffer) >= length:
                data = bytes(self.buffer[:length])
                del self.buffer[:length]
                return message.decoded(data)
            if not self.fill(deadline - time.monotonic()):
                return None

    def fill(self, timeout):
        """Whether something came."""
        self.socket.settimeout(max(timeout, 0.0001))
        try:
            data, ancillary, _, _ = self.socket.recvmsg(65536, socket.CMSG_SPACE(4 * 64))
        except (TimeoutError, BlockingIOError):
            return False
        finally:
            self.socket.settimeout(SEND_PATIENCE)
        for level, kind, content in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers = array.array("i")
                numbers.frombytes(content[:len(content) - len(content) % 4])
                self.descriptors += numbers
        if not data:
            raise ConnectionError("the bus has closed the connection")
        self.buffer += data
        return True

    def forget_descriptors(self):
        for number in self.descriptors:
            os.close(number)
        self.descriptors = []

    # Calls

    def reply_to(self, serial, timeout):
        """The answer to a call; what else comes meanwhile is kept for `receive`. TimeoutError where none comes."""
        for kept in self.inbox:
            if kept.reply_serial == serial:
                self.inbox.remove(kept)
                return kept
        deadline = time.monotonic() + timeout
        while (came := self.receive_new(deadline)) is not None:
            if came.kind in (RETURN, ERROR) and came.reply_serial == serial:
                return came
            self.inbox.append(came)
        raise TimeoutError("no answer")

    def ask(self, call, timeout=25, descriptors=()):
        """What a call is answered: the body. `Refused` where that is an error."""
        reply = self.reply_to(self.send(call, descriptors), timeout)
        if reply.kind == ERROR:
            raise Refused(reply)
        return reply.body

    def ask_bus(self, member, signature=None, *body, timeout=25):
        return self.ask(
            Message(CALL, BUS_PATH, BUS, member, destination=BUS, signature=signature, body=body), timeout)

    def match(self, rule):
        self.ask_bus("AddMatch", "s", rule)

    def signals(self, member, seconds):
        """All signals of a name that come within a time."""
        found, deadline = [], time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and (came := self.receive(left)) is not None:
            if came.kind == SIGNAL and came.member == member:
                found.append(came)
        return found
