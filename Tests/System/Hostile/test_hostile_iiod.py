# SPDX-License-Identifier: Apache-2.0
"""Whatever another machine sends instead of iiod's answers, the daemon survives, stays small and serves."""

import time

import attacks
import service
from case import HostileCase, World
from connection import Connection
from iiod import WAYS, Iiod

SECONDS = 6
# Of what libiio and libxml2 make of the largest description here.
MEMORY = 128 * 1024


class HostileIiod(HostileCase):
    # What is told over the network has nothing to do with the bus.
    buses = ("dbus-daemon",)

    def test_whatever_it_answers_the_daemon_lives_and_serves(self):
        servers = {name: Iiod(way) for name, way in WAYS.items()}
        for server in servers.values():
            self.addCleanup(server.end)
        worlds = {name: self.world(sensor=server.sensor, settings=[]) for name, server in servers.items()}
        for world in worlds.values():
            world.client = world.closing(Connection(world.address), "close")
            world.client.ask(attacks.begin())
        time.sleep(SECONDS)
        for name, world in worlds.items():
            with self.subTest(name):
                self.assertGreater(servers[name].connections, 0)
                self.assert_unharmed(world)
            world.close()

    def assert_unharmed(self, world: World):
        self.assert_serves(world)
        self.assertLessEqual(world.daemon.peak(), MEMORY)
        # A sensor that is read is read as numbers, or not at all.
        values = world.root.ask(service.get_all(service.SENSOR))[0]
        self.assertLess(len(values["Name"][1]), 256)
        # What libiio and libxml2 write to standard error is not heard where there is a journal.
        own = [line for line in world.daemon.log if line.startswith("orientationd: ")]
        self.assertLess(len(own), 10)
        for line in own:
            self.assertTrue(line.isprintable() and len(line) < 1000, repr(line[:300]))
        began = time.monotonic()
        self.assertEqual(world.daemon.end(), 0)
        self.assertLess(time.monotonic() - began, 2)
