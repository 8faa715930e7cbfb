# SPDX-License-Identifier: Apache-2.0
"""polkit, logind and an idle service with the behaviour that a test sets: each is a generator function for `users.Process`.

The first step takes the bus name; the second one serves for ever.
"""

import collections
import time

from connection import Connection, Refused
from message import CALL, ERROR, RETURN, SIGNAL, Message

POLKIT, AUTHORITY = "org.freedesktop.PolicyKit1", "org.freedesktop.PolicyKit1.Authority"
NEIGHBOUR = "org.example.Neighbour"
YES, NO, CHALLENGE = ((True, False, []),), ((False, False, []),), ((False, True, []),)
Later = collections.namedtuple("Later", "seconds answer")


def serve(address, name, answer):
    """Owns a name, and answers each call by `answer(connection, call)` from its second step on, for ever."""
    connection = Connection(address)
    connection.ask_bus("RequestName", "su", name, 0)
    yield connection.name
    while True:
        call = connection.receive(3600)
        if call is not None and call.kind == CALL:
            answer(connection, call)
        connection.forget_descriptors()
    yield


def reply(connection, call, signature=None, *body):
    connection.send(Message(RETURN, destination=call.sender, reply_serial=call.serial, signature=signature, body=body))


def fail(connection, call, name):
    connection.send(Message(ERROR, destination=call.sender, reply_serial=call.serial, error=name, signature="s", body=("no",)))


def neighbour(address):
    """Answers every call at once: what a service can do at all while the bus is under such a load."""
    yield from serve(address, NEIGHBOUR, lambda connection, call: reply(connection, call, "us", 1, "portrait"))


class Polkit:
    """Answers as `rule(user, action, flags)` says: with one of the three answers, `Later`, or None, which is silence."""

    def __init__(self, rule):
        self.rule = rule
        self.later = []

    def serve(self, connection):
        while True:
            now = time.monotonic()
            for due, call, answer in [each for each in self.later if each[0] <= now]:
                self.later.remove((due, call, answer))
                reply(connection, call, "(bba{ss})", *answer)
            call = connection.receive(0.05 if self.later else 3600)
            if call is not None and call.kind == CALL:
                self.take(connection, call)
            connection.forget_descriptors()

    def take(self, connection, call):
        if call.member != "CheckAuthorization":
            return reply(connection, call)
        subject, action, _, flags, _ = call.body
        kind, details = subject
        # The daemon says the user of a process that reads motion; a client of the bus is known by its name.
        user = details["uid"][1] if kind == "unix-process" else user_of(connection, details["name"][1])
        answer = self.rule(user, action, flags)
        if isinstance(answer, Later):
            self.later.append((time.monotonic() + answer.seconds, call, answer.answer))
        elif answer is not None:
            reply(connection, call, "(bba{ss})", *answer)


def polkit(address, rule):
    connection = Connection(address)
    connection.ask_bus("RequestName", "su", POLKIT, 0)
    yield connection.name
    Polkit(rule).serve(connection)
    yield


def polkit_that_changes_its_mind(address, seconds, delay=0.3, pause=0.2):
    """Allows everything at first, and nothing later; it says more often that its answers have changed than it answers."""
    connection = Connection(address)
    connection.ask_bus("RequestName", "su", POLKIT, 0)
    yield connection.name
    end, next_signal, waiting = time.monotonic() + seconds, 0, []
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            reply(connection, waiting.pop(0)[1], "(bba{ss})", *(YES if now < end else NO))
        if now > max(next_signal, end):
            connection.send(Message(SIGNAL, "/org/freedesktop/PolicyKit1/Authority", AUTHORITY, "Changed"))
            next_signal = now + pause
        call = connection.receive(0.05)
        if call is not None and call.kind == CALL:
            waiting.append((now + delay, call))
    yield


def user_of(connection, client):
    try:
        return connection.ask_bus("GetConnectionUnixUser", "s", client)[0]
    except Refused:
        return None


def asks_as_debian_does(user, action, flags):
    """Debian's polkit for users without a session: root may everything, others nothing."""
    return YES if user == 0 else NO


def silent_to_others(user, action, flags):
    """Root may at once; everybody else has an agent that never answers."""
    return YES if user == 0 else None


def wait_until(holds, seconds, pause=0.05):
    """Whether something holds within a time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True
