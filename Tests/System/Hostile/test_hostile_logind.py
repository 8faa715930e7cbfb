# SPDX-License-Identifier: Apache-2.0
"""A faulty logind, or one that comes and goes, costs the daemon neither the sensor nor descriptors."""

import time

import attacks
import neighbours
import service
from attacks import LOGIN
from case import HostileCase, figures
from connection import Connection
from message import CALL, ERROR, RETURN, Message
from neighbours import reply
from users import ROOT


def inhibitor(connection, call):
    """As logind answers."""
    answer = Message(RETURN, destination=call.sender, reply_serial=call.serial, signature="h", body=(0,))
    connection.send(answer, attacks.null_descriptors(1))


def many_descriptors(connection, call):
    rights = attacks.null_descriptors()
    answer = Message(RETURN, destination=call.sender, reply_serial=call.serial, signature="ah", body=(list(range(len(rights))),))
    connection.send(answer, rights)


def one_of_many(connection, call):
    answer = Message(RETURN, destination=call.sender, reply_serial=call.serial, signature="h", body=(0,))
    connection.send(answer, attacks.null_descriptors())


def error(connection, call):
    connection.send(Message(ERROR, destination=call.sender, reply_serial=call.serial, error="a.b", signature="s", body=("no",)))


ANSWERS = {
    "a descriptor": inhibitor, "many": many_descriptors, "one of many": one_of_many, "an error": error,
    "a string": lambda connection, call: reply(connection, call, "s", "yes"),
    "nothing": lambda connection, call: reply(connection, call),
    "30 MB": lambda connection, call: reply(connection, call, "s", "a" * (30 << 20)),
    "silence": lambda connection, call: None,
}


class Logind:
    """Says its words in turn, and answers `Inhibit` in between."""

    def __init__(self, address, answer):
        self.connection, self.answer = Connection(address), answer
        self.connection.ask_bus("RequestName", "su", LOGIN, 0)

    def serve(self, seconds):
        deadline = time.monotonic() + seconds
        while (call := self.connection.receive(max(deadline - time.monotonic(), 0))) is not None:
            if call.kind == CALL:
                self.answer(self.connection, call)

    def say(self, is_about_to_sleep):
        self.connection.send(attacks.sleep_signal(None, is_about_to_sleep))

    def come_again(self):
        self.connection.ask_bus("ReleaseName", "s", LOGIN)
        self.connection.ask_bus("RequestName", "su", LOGIN, 0)


def storm(address, answer, times):
    """Sleep and wake-up, again and again; the last word is that the machine is awake."""
    logind = Logind(address, answer)
    yield "there"
    logind.serve(0.3)
    yield "before"
    for number in range(times):
        logind.say(number % 2 == 0)
        if number % 10 == 0:
            logind.serve(0.001)
    logind.say(False)
    logind.serve(1)
    yield times


def come_and_go(address, answer, times):
    logind = Logind(address, answer)
    yield "there"
    logind.serve(0.3)
    yield "before"
    for number in range(times):
        if number % 3 == 0:
            logind.say(True)
        logind.come_again()
        logind.serve(0.002)
    logind.serve(1)
    yield times


class HostileLogind(HostileCase):
    def subscribed(self, steps, *arguments):
        def start(world):
            world.logind = world.start(ROOT, steps, world.address, *arguments)
        world = self.world(before=start)
        world.logind.proceed()
        world.root.ask(attacks.begin())
        self.assert_samples(world)
        return world

    def assert_samples(self, world):
        is_active = neighbours.wait_until(lambda: service.sensor_status(world.root) == "active", 5)
        self.assertTrue(is_active, service.sensor_status(world.root))

    def test_whatever_it_answers_its_words_are_heeded(self):
        for name, answer in ANSWERS.items():
            with self.subTest(name):
                world = self.subscribed(storm, answer, 5)
                before = figures(world)
                world.logind.proceed()
                self.assert_samples(world)
                self.assert_level(before, world)
                self.assert_serves(world)
                world.close()

    def test_10000_words_of_sleep_cost_nothing_that_stays(self):
        world = self.subscribed(storm, inhibitor, 10_000)
        before = figures(world)
        world.logind.proceed()
        self.assert_samples(world)
        self.assert_level(before, world)
        self.assert_serves(world)

    def test_one_that_comes_and_goes_300_times_costs_nothing_that_stays(self):
        world = self.subscribed(come_and_go, one_of_many, 300)
        before = figures(world)
        world.logind.proceed()
        self.assert_samples(world)
        self.assert_level(before, world)
        self.assert_serves(world)
