# SPDX-License-Identifier: Apache-2.0
"""Harmless clients that measure how they are served during the attacks: generator functions for `users.Process`."""

import time

import service
from connection import BUS, BUS_PATH, Connection, Refused
from message import CALL, Message
from neighbours import NEIGHBOUR

PAUSE = 0.075
PATIENCE = 60


def ask_daemon():
    return service.device("MeasureOrientation")


def ask_bus():
    return Message(CALL, BUS_PATH, BUS, "GetId", destination=BUS)


def ask_neighbour():
    return Message(CALL, "/", NEIGHBOUR, "Ask", destination=NEIGHBOUR)


def keep_asking(address, make, seconds):
    """Asks again and again; how long each answer took, and the errors."""
    connection, times, errors = Connection(address), [], {}
    yield "ready"
    deadline = time.monotonic() + seconds
    while (began := time.monotonic()) < deadline:
        try:
            connection.ask(make(), PATIENCE)
        except (Refused, TimeoutError) as error:
            name = getattr(error, "name", None) or f"no answer in {PATIENCE} s"
            errors[name] = errors.get(name, 0) + 1
        times.append(time.monotonic() - began)
        time.sleep(PAUSE)
    yield times, errors


def stay_subscribed(address, seconds):
    """Begins; what is announced meanwhile; and whether it can end what it has begun."""
    connection = Connection(address)
    connection.match(f"type='signal',sender='{service.NAME}',path='{service.PATH}'")
    connection.ask(service.device(service.BEGIN))
    yield connection.name
    announced = [each.body[1] for each in connection.signals("OrientationDidChange", seconds)]
    try:
        yield announced, service.sensor_status(connection, 60)
    except Refused as refusal:
        yield announced, str(refusal)
    try:
        connection.ask(service.device(service.END), 60)
        yield "ended"
    except Refused as refusal:
        yield str(refusal)


class Latencies:
    """What `keep_asking` tells, for people."""

    def __init__(self, what, answer):
        self.what = what
        times, self.errors = answer
        self.times = sorted(times)

    def percentile(self, part):
        return self.times[min(int(len(self.times) * part), len(self.times) - 1)]

    def __str__(self):
        text = (f"{self.what}: {len(self.times)} answers, median {self.percentile(0.5) * 1000:.1f} ms, "
                f"95 % {self.percentile(0.95) * 1000:.0f} ms, slowest {self.times[-1] * 1000:.0f} ms")
        return text + (f", errors {self.errors}" if self.errors else "")
