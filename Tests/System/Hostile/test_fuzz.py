# SPDX-License-Identifier: Apache-2.0
"""All attacks at random, from a seed, by several users at once; all other clients are served meanwhile."""

import random
import re
import time

import neighbours
import probes
import random_attacks
import service
from case import HostileCase, World, figures
from neighbours import CHALLENGE, NO, YES, Later
from users import FOURTH, NOBODY, ROOT, SECOND

ATTACKERS = NOBODY, NOBODY, SECOND, SECOND
KNOWN_LINES = re.compile(r"orientationd: (accelerometer simulated tablet: requested"
                         r"|SIMULATED: the announced orientations are not from a real tablet)")
# What the median of root's answers may take, in seconds; each comes within `probes.PATIENCE`. Not more of them is a requirement: a bus
# keeps megabytes of other users' messages for a service, and if this machine is busy otherwise, root's call waits seconds behind them.
PATIENCE = 1.0
# The processor time of the daemon beside that of the bus, which handles each message, too: 1.0 on dbus-broker, 0.4 on dbus-daemon.
COST = 2.0

# The heap of a process that has had 100 MB of messages is not without gaps afterwards, in kB.
MEMORY = 3072


def at_random(user, action, flags, chance=random.Random(1)):
    """polkit: root may at once; what the others are told, and when, is chance."""
    if user in (ROOT, FOURTH):
        return YES
    return chance.choice([YES, NO, CHALLENGE, None, Later(chance.random() * 5, chance.choice([YES, NO]))])


class Fuzz(HostileCase):
    def test_a_minute_of_everything_by_chance_harms_nobody_else(self):
        world = self.world(at_random)
        world.start(ROOT, neighbours.neighbour, world.address).begin()
        seconds = World.fuzz_seconds
        print(f"      fuzz of {seconds} s with --seed {World.seed}", flush=True)
        subscribers = [world.start(user, probes.stay_subscribed, world.address, seconds) for user in (ROOT, FOURTH)]
        time.sleep(1)
        before, owner = figures(world), world.owner(service.NAME)
        latencies = self.run_attackers(world, subscribers, seconds)
        self.report(world, before)
        self.assert_subscribed(world, subscribers)
        self.assert_undisturbed(world, before, owner)
        self.assert_answered(*latencies)

    def run_attackers(self, world, subscribers, seconds):
        """How long the daemon, the bus and a neighbour took to answer root meanwhile."""
        makers = {"daemon": probes.ask_daemon, "the bus alone": probes.ask_bus, "a neighbour": probes.ask_neighbour}
        askers = [world.start(ROOT, probes.keep_asking, world.address, make, seconds) for make in makers.values()]
        attackers = [world.start(user, random_attacks.attack, world.address, world.daemon_name, f"{World.seed} {number}", seconds)
                     for number, user in enumerate(ATTACKERS)]
        for process in subscribers + askers + attackers:
            process.begin()
        self.watch(world, seconds)
        latencies = [probes.Latencies(what, asker.answer(90)) for what, asker in zip(makers, askers)]
        sent = [attacker.answer(60) for attacker in attackers]
        for attacker in attackers:
            attacker.end()
        total = sum(sum(each.values()) for each in sent)
        bus, daemon = world.bus.processor_seconds(), world.daemon.processor_seconds() if world.daemon.is_alive else 0
        print(f"      {total} messages sent, processor time: bus {bus:.1f} s, daemon {daemon:.1f} s", flush=True)
        for each in latencies:
            print(f"      {each}", flush=True)
        self.assertLessEqual(daemon, COST * bus, "processor time beside that of the bus, in seconds")
        return latencies

    def watch(self, world, seconds):
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            self.assertTrue(world.daemon.is_alive, f"after {time.monotonic() - began:.1f} s {self.obituary(world)}")
            time.sleep(0.2)

    def report(self, world, before):
        self.assertTrue(world.daemon.is_alive, self.obituary(world))
        peak = world.daemon.peak()
        neighbours.wait_until(lambda: world.daemon.memory() <= before[1] + 2048, 10)
        after = figures(world)
        print(f"      descriptors {before[0]} before, {after[0]} after; memory {before[1]} kB before, {after[1]} kB after, "
              f"at most {peak} kB", flush=True)

    def assert_subscribed(self, world, subscribers):
        for subscriber in subscribers:
            announced, status = subscriber.answer(60)
            self.assertNotIn("unknown", announced)
            self.assertEqual(status, "active")
            self.assertEqual(subscriber.proceed(), "ended")
        is_idle = neighbours.wait_until(lambda: service.sensor_status(world.root, 60) == "idle", 60, 0.25)
        self.assertTrue(is_idle, "all have left, and the sensor still runs")

    def assert_undisturbed(self, world, before, owner):
        self.assertEqual(world.owner(service.NAME), owner)
        self.assert_level(before, world, memory=MEMORY)
        self.assertEqual([line for line in world.daemon.log if not KNOWN_LINES.fullmatch(line)], [])

    def assert_answered(self, daemon, *controls):
        """What the bus or a neighbour takes to answer is the bus's own doing."""
        self.assertEqual(daemon.errors, {})
        beside = max(each.percentile(0.5) for each in controls)
        self.assertLessEqual(daemon.percentile(0.5), PATIENCE + beside, "the median of the answers to root, in seconds")
