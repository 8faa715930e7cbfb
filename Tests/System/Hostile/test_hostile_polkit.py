# SPDX-License-Identifier: Apache-2.0
"""With a faulty polkit, nothing is allowed without a clear yes, and no other call is delayed."""

import sys
import time

import neighbours
import service
import users
from case import HostileCase, figures
from connection import Connection
from message import ERROR, RETURN, Message
from neighbours import POLKIT, YES, reply
from users import ROOT, SECOND

MEGABYTES = 30 << 20
# D-Bus's default timeout: a caller that changed nothing waits so long.
CALLER_SECONDS = 25


def raw(signature, *body):
    def answer(connection, call):
        reply(connection, call, signature, *body)
    return answer


def error(name):
    def answer(connection, call):
        connection.send(Message(ERROR, destination=call.sender, reply_serial=call.serial, error=name, signature="s", body=("no",)))
    return answer


def leave(connection, call):
    connection.close()
    sys.exit()


def once_more(connection, call):
    raw("(bba{ss})", (False, False, []))(connection, call)
    raw("(bba{ss})", *YES)(connection, call)


def lie_about_itself(connection, call):
    """Its answer is preceded by the bus's word that the caller has left, and by an answer to another question."""
    caller = call.body[0][1]["name"][1]
    words = Message(4, "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged", destination=call.sender, signature="sss",
                    body=(caller, caller, ""))
    connection.send(words)
    connection.send(Message(RETURN, destination=call.sender, reply_serial=call.serial + 1, signature="(bba{ss})", body=YES))
    raw("(bba{ss})", (False, False, []))(connection, call)


NOT_ALLOWED = {
    "nothing": raw(None), "a string": raw("s", "yes"), "a boolean": raw("b", True), "numbers": raw("(iia{ss})", (1, 0, [])),
    "no details": raw("(bb)", (True, False)), "details of another kind": raw("(bba{sv})", (True, False, [("a", ("u", 1))])),
    "a variant": raw("v", ("(bba{ss})", (True, False, []))), "a wrong word of 30 MB": raw("s", "a" * MEGABYTES),
    "an error": error("org.freedesktop.PolicyKit1.Error.Failed"), "an odd error": error("a.b" + ".c" * 120),
    "the bus's error": error("org.freedesktop.DBus.Error.NameHasNoOwner"),
    "no, then yes": once_more, "that the caller has left": lie_about_itself,
    "no, with details of 30 MB": raw("(bba{ss})", (False, False, [("a", "a" * MEGABYTES)])), "an end": leave,
}


def ask_for_lock(address, seconds):
    """How a user's call is answered, and after how long."""
    with Connection(address) as connection:
        began = time.monotonic()
        try:
            answer = connection.reply_to(connection.send(service.set_lock(True)), seconds).error or "carried out"
        except TimeoutError:
            answer = "never answered"
        yield answer, time.monotonic() - began


class HostilePolkit(HostileCase):
    def world_with(self, answer):
        world = self.world(rule=None)
        world.start(ROOT, neighbours.serve, world.address, POLKIT, answer).begin()
        return world

    def answer_of(self, world, seconds=CALLER_SECONDS):
        return world.closing(users.Process(SECOND, ask_for_lock, world.address, seconds)).proceed()

    def test_whatever_is_no_clear_yes_is_a_no(self):
        for name, answer in NOT_ALLOWED.items():
            with self.subTest(name):
                world = self.world_with(answer)
                before = figures(world)
                said, took = self.answer_of(world)
                self.assertEqual(said, "org.freedesktop.DBus.Error.AccessDenied")
                self.assertLess(took, 5)
                self.assert_serves(world)
                self.assert_level(before, world)
                world.close()

    def test_one_that_never_answers_is_given_up_before_the_caller_does(self):
        world = self.world_with(lambda connection, call: None)
        said, took = self.answer_of(world)
        self.assertEqual(said, "org.freedesktop.DBus.Error.AccessDenied")
        # Asked twice, 10 s each; what is left is for a busy machine.
        self.assertGreater(took, 19)
        self.assert_serves(world)

    def test_a_yes_with_30_megabytes_of_details_is_answered(self):
        world = self.world_with(raw("(bba{ss})", (True, False, [("a", "a" * MEGABYTES)])))
        before = figures(world)
        self.assertIn(self.answer_of(world)[0], ("carried out", "org.freedesktop.DBus.Error.AccessDenied"))
        self.assert_serves(world)
        self.assert_level(before, world)
