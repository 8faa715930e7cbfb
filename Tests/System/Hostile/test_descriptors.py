# SPDX-License-Identifier: Apache-2.0
"""Descriptors that clients send can neither use up the daemon's 1,024 nor keep it from noticing clients that leave."""

import time

import attacks
import neighbours
import service
from case import HostileCase, figures
from connection import Refused
from users import FOURTH, NOBODY, SECOND, THIRD

# Six times as many as one user may have as subscribers, over three users that the bus lets have 256 connections each.
CROWD = 245


class SentDescriptors(HostileCase):
    def attack(self, world, *arguments):
        before = figures(world)
        world.root.match(f"type='signal',interface='{service.DEVICE}'")
        sent = world.start(NOBODY, *arguments).first
        time.sleep(0.5)
        self.assertTrue(world.daemon.is_alive, f"after {sent} calls {self.obituary(world)}")
        self.assertLessEqual(world.daemon.descriptors(), before[0] + 4)
        self.assert_serves(world)

    def test_calls_that_wait_for_the_sensor_keep_no_descriptors(self):
        world = self.world(sensor="silent")
        self.attack(world, attacks.hold_calls, world.address, 64, 1, attacks.get_orientation, attacks.DESCRIPTORS_PER_MESSAGE)

    def test_calls_that_wait_for_polkit_keep_no_descriptors(self):
        world = self.world(neighbours.silent_to_others)
        self.attack(world, attacks.hold_calls, world.address, 64, 1, attacks.lock_with_password, attacks.DESCRIPTORS_PER_MESSAGE)

    def test_messages_that_libsystemd_drops_leave_no_descriptors(self):
        world = self.world()
        too_long = attacks.long_path(35_000)
        self.attack(world, attacks.call_again_and_again, world.address, lambda: too_long, 64, attacks.DESCRIPTORS_PER_MESSAGE)


class Crowd(HostileCase):
    """735 clients that leave while the daemon's queue on the bus is full."""

    def leave_amid(self, *floods):
        world = self.world(settings=["MaxClients=1024", "MaxClientsPerUser=256"])
        users = NOBODY, SECOND, THIRD
        before = figures(world)
        crowds = [world.start(user, attacks.subscribe, world.address, CROWD, attacks.begin) for user in users]
        self.assertEqual([crowd.first for crowd in crowds], [{"answered": CROWD}] * 3)
        self.assertTrue(neighbours.wait_until(lambda: service.sensor_status(world.root) == "active", 5))
        flooders = [world.start(FOURTH, attacks.flood, world.address, make, 6, count) for make, count in floods]
        for flooder in flooders:
            flooder.begin()
        time.sleep(1)
        for crowd in crowds:
            crowd.begin()
        for each in crowds + flooders:
            each.answer()
        self.assertTrue(world.daemon.is_alive, self.obituary(world))
        began = time.monotonic()
        is_idle = neighbours.wait_until(lambda: self.status(world) == "idle", 60, 0.25)
        self.assertTrue(is_idle, "60 s after the last client has left, the sensor still runs")
        print(f"      all 735 are forgotten {time.monotonic() - began:.1f} s after the flood", flush=True)
        for each in crowds + flooders:
            each.end()
        self.assert_level(before, world)

    def status(self, world):
        try:
            return service.sensor_status(world.root, 60)
        except Refused as refusal:  # by the bus, as the daemon's queue is full
            return refusal.name

    def test_all_are_forgotten_who_leave_amid_a_flood_of_descriptors(self):
        self.leave_amid(*[(lambda: attacks.long_path(4_000), attacks.DESCRIPTORS_PER_MESSAGE)] * 3)

    def test_all_are_forgotten_who_leave_amid_a_flood_of_big_messages(self):
        self.leave_amid(*[(lambda: attacks.big_body(16 << 20), 0)] * 3)
