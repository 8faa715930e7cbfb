# SPDX-License-Identifier: Apache-2.0
"""The attacks, as generator functions for `users.Process`: each step is an attack, or a part of one.

An attacker keeps its connections and other resources until its process ends.
"""

import os
import time

import service
from connection import BUS, BUS_PATH, Connection, Refused
from message import CALL, INTERACTIVE, NO_REPLY, SIGNAL, Message

LOGIN, LOGIN_PATH = "org.freedesktop.login1", "/org/freedesktop/login1"
DESCRIPTORS_PER_MESSAGE = 16


def arrived(connection):
    """The bus has taken all that was sent before, as it takes a client's messages in order."""
    connection.ask_bus("GetId", timeout=60)


def null_descriptors(count=DESCRIPTORS_PER_MESSAGE):
    return [os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC) for _ in range(count)]


def bus_signal(destination, member, signature, *body):
    return Message(SIGNAL, BUS_PATH, BUS, member, destination=destination, signature=signature, body=body)


def departure(destination, client):
    return bus_signal(destination, "NameOwnerChanged", "sss", client, client, "")


def sleep_signal(destination, is_about_to_sleep):
    return Message(SIGNAL, LOGIN_PATH, "org.freedesktop.login1.Manager", "PrepareForSleep", destination=destination,
                   signature="b", body=(is_about_to_sleep,))


def send(address, *messages):
    """Sends messages, each to be made by a function, and holds the connection."""
    with Connection(address) as connection:
        for what in messages:
            connection.send(what)
        arrived(connection)
        yield len(messages)


def hold_calls(address, connections, calls, make, descriptors=0):
    """Makes calls on several connections that hold their answers back; then says which were answered, and how."""
    clients = [Connection(address) for _ in range(connections)]
    rights = null_descriptors(descriptors)
    sent = 0
    for client in clients:
        for _ in range(calls):
            try:
                client.send(make(), rights)
                sent += 1
            except OSError:
                break  # the bus has had enough of it
        try:
            arrived(client)
        except (OSError, TimeoutError):
            pass
    yield sent
    yield answers(clients, 1)


def answers(clients, seconds):
    """How often each answer came: the names of errors, and "answered"."""
    found = {}
    deadline = time.monotonic() + seconds
    for client in clients:
        try:
            while (came := client.receive(max(deadline - time.monotonic(), 0.001))) is not None:
                if came.reply_serial:
                    found[came.error or "answered"] = found.get(came.error or "answered", 0) + 1
        except OSError:
            found["disconnected"] = found.get("disconnected", 0) + 1
    return found


def get_orientation():
    return service.device("MeasureOrientation")


def lock_with_password():
    return service.set_lock(True, flags=INTERACTIVE)


def long_path(elements=32_500, flags=NO_REPLY):
    """A path that the bus lets pass, and nobody has."""
    return Message(CALL, "/a" * elements, "org.freedesktop.DBus.Introspectable", "Introspect", destination=service.NAME, flags=flags)


def call_again_and_again(address, make, count, descriptors=0):
    """Sends the same call many times without looking at an answer; how many the bus took."""
    rights = null_descriptors(descriptors)
    with Connection(address) as connection:
        encoded, sent = make_encoded(make(), descriptors), 0
        try:
            for sent in range(1, count + 1):
                connection.send_again(encoded, rights)
            arrived(connection)
        except (OSError, TimeoutError):
            pass
        yield sent


def make_encoded(what, descriptors=0):
    what.descriptor_count = descriptors or None
    return what.encoded(1)


def flood(address, make, seconds, descriptors=0):
    """The same without end; how many calls the bus took."""
    rights = null_descriptors(descriptors)
    connection, encoded, sent = Connection(address), make_encoded(make(), descriptors), 0
    yield "ready"
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            connection.send_again(encoded, rights)
            sent += 1
        except OSError:
            connection.close()
            connection = Connection(address)
    yield sent


def subscribe(address, connections, make):
    """Has many connections begin or claim; says how each was answered, and has all leave at once in its last step."""
    clients, found = [], {}
    for _ in range(connections):
        try:
            client = Connection(address)
            clients.append(client)
            client.ask(make(), 10)
            answer = "answered"
        except (OSError, Refused, TimeoutError) as error:
            answer = getattr(error, "name", None) or repr(error)
        found[answer] = found.get(answer, 0) + 1
    yield found
    for client in clients:
        client.close()
    yield "left"


def begin():
    return service.device(service.BEGIN)


def begin_and_end(address, seconds, calls_per_connection=None):
    """Begins and ends in turn, as fast as answers come; how often."""
    connection, count = Connection(address), 0
    yield "ready"
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        serials = [connection.send(service.device(member)) for member in (service.BEGIN, service.END) * 32]
        for serial in serials:
            connection.reply_to(serial, 30)
        count += len(serials)
        if calls_per_connection and count % calls_per_connection < len(serials):
            connection.close()
            connection = Connection(address)
    yield count


def listen(address, rule, member, seconds):
    """How many signals of a name somebody hears who does not attack at all."""
    with Connection(address) as connection:
        connection.match(rule)
        yield "ready"
        yield len(connection.signals(member, seconds))


def big_body(size, make=lambda: service.device("MeasureOrientation")):
    """A call with more than it takes."""
    what = make()
    what.signature = "ay"
    what.raw_body = size.to_bytes(4, "little") + bytes(size)
    return what


def big_header(size, make):
    """A call with a header field that no version of D-Bus has: dbus-broker passes it on, dbus-daemon takes it out."""
    what = make()
    what.fields += ((200, "s", b"a" * size),)
    return what


def nested(depth, leaf=("y", 1)):
    """A variant in a variant in a variant."""
    value = leaf
    for _ in range(depth):
        value = ("v", value)
    return value


def lock_and_unlock(address, seconds):
    connection, count = Connection(address), 0
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        connection.reply_to(connection.send(service.set_lock(count % 2 == 0)), 30)
        count += 1
    yield count
