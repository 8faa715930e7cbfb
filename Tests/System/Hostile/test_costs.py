# SPDX-License-Identifier: Apache-2.0
"""No message costs the daemon much time or permanent memory, before or after the daemon's own code sees it."""

import time

import attacks
import service
from case import HostileCase, figures
from connection import Connection
from message import CALL, INTERACTIVE, NO_REPLY, Message
from neighbours import NEIGHBOUR, YES, neighbour, silent_to_others
from users import NOBODY, ROOT

# What the bus lets pass in one message is 32 MB: so much the daemon must take in, and once more while it looks at it.
PEAK = 100 * 1024
MEGABYTE = 1 << 20


class Costs(HostileCase):
    def attack(self, world, *arguments, seconds=1.0, peak=PEAK):
        """Root's answer during the attack comes in time, beside what the bus itself costs; nothing is left behind."""
        neighbour_process = world.start(ROOT, neighbour, world.address)
        neighbour_process.begin()
        before = figures(world)
        world.daemon.forget_peak()
        with Connection(world.address) as control:
            attacker = world.start(NOBODY, *arguments)
            began = time.monotonic()
            control.ask(Message(CALL, "/", NEIGHBOUR, "Ask", destination=NEIGHBOUR), 60)
            beside = time.monotonic() - began
        self.assert_serves(world, seconds + beside)
        taken = world.daemon.peak()
        print(f"      {attacker.first} sent; at most {taken} kB", flush=True)
        self.assertLessEqual(taken, peak)
        return attacker, before

    def attack_and_leave(self, world, *arguments, **limits):
        attacker, before = self.attack(world, *arguments, **limits)
        attacker.end()
        self.assert_level(before, world)

    def again_and_again(self, make, count, **limits):
        world = self.world()
        self.attack_and_leave(world, attacks.call_again_and_again, world.address, make, count, **limits)

    # Paths

    def test_20_paths_of_32500_elements_hold_nobody_up(self):
        self.again_and_again(attacks.long_path, 20)

    def test_10_megabytes_of_such_paths_hold_nobody_up(self):
        self.again_and_again(attacks.long_path, 150)

    def test_paths_of_127_elements_hold_nobody_up(self):
        self.again_and_again(lambda: attacks.long_path(127), 2000)

    def test_long_paths_with_every_kind_of_call_hold_nobody_up(self):
        def make():
            call = service.get_all(service.DEVICE)
            call.path = service.PATH + "/a" * 32_000
            return call
        self.again_and_again(make, 20)

    # Arguments

    def test_signatures_of_255_types_hold_nobody_up(self):
        def make():
            call = service.set_lock(True)
            call.signature, call.body = "y" * 255, (1,) * 255
            return call
        self.again_and_again(make, 2000)

    def test_nested_variants_hold_nobody_up(self):
        def make():
            call = Message(CALL, service.PATH, service.PROPERTIES, "Set", destination=service.NAME, flags=NO_REPLY)
            call.signature, call.body = "ssv", (service.DEVICE, "Orientation", attacks.nested(60))
            return call
        self.again_and_again(make, 2000)

    def test_many_nested_variants_hold_nobody_up(self):
        def make():
            call = Message(CALL, service.PATH, service.PROPERTIES, "Set", destination=service.NAME, flags=NO_REPLY)
            call.signature = "ssv"
            call.body = service.DEVICE, "Orientation", ("av", [attacks.nested(30)] * 5000)
            return call
        self.again_and_again(make, 20)

    # Three of each: libsystemd validates a string before anybody sees how long it is, 0.2 s for one of these.
    def test_interface_names_of_30_megabytes_hold_nobody_up(self):
        self.again_and_again(lambda: service.get_all("a" * 30 * MEGABYTE), 3)

    def test_property_names_of_30_megabytes_hold_nobody_up(self):
        self.again_and_again(lambda: service.get(service.DEVICE, "a" * 30 * MEGABYTE), 3)

    def test_bodies_of_31_megabytes_hold_nobody_up(self):
        self.again_and_again(lambda: attacks.big_body(31 * MEGABYTE), 6)

    def test_answers_that_nobody_reads_are_not_kept(self):
        """Introspection is the longest answer: the bus keeps some, the daemon must not keep the rest."""
        def make():
            return Message(CALL, service.PATH, "org.freedesktop.DBus.Introspectable", "Introspect", destination=service.NAME)
        self.again_and_again(make, 8_000, peak=16 * 1024, seconds=3)

    def test_reads_of_long_properties_without_a_reply_hold_nobody_up(self):
        """As many holds as a user may have, with texts as long as they may be."""
        world = self.world(rule=lambda *_: YES)
        for _ in range(4):
            client = world.closing(Connection(world.address), "close")
            for _ in range(8):
                client.ask(service.hold("landscapeLeft", "landscapeRight", application="a" * 255, reason="r" * 255))

        def make():
            call = service.get_all(service.SCREEN)
            call.flags = NO_REPLY
            return call
        self.attack_and_leave(world, attacks.call_again_and_again, world.address, make, 40_000)

    def test_introspection_without_a_reply_holds_nobody_up(self):
        def make():
            return Message(CALL, service.PATH, "org.freedesktop.DBus.Introspectable", "Introspect", destination=service.NAME,
                           flags=NO_REPLY)
        self.again_and_again(make, 100_000)

    # Header fields that nobody knows

    def held(self, make, **more):
        world = self.world(**more)
        self.attack_and_leave(
            world, attacks.hold_calls, world.address, 2, 4, lambda: attacks.big_header(16 * MEGABYTE, make), seconds=3, peak=60 * 1024)

    def test_header_fields_of_16_megabytes_are_not_kept_with_calls_that_wait_for_the_sensor(self):
        self.held(attacks.get_orientation, sensor="silent")

    def test_header_fields_of_16_megabytes_are_not_kept_with_calls_that_wait_for_polkit(self):
        self.held(attacks.lock_with_password, rule=silent_to_others)

    def test_header_fields_of_16_megabytes_are_not_kept_with_subscriptions(self):
        self.held(attacks.begin)

    def test_header_fields_of_16_megabytes_are_not_kept_with_claims(self):
        self.held(lambda: service.proxy("ClaimAccelerometer", flags=INTERACTIVE), rule=silent_to_others)
