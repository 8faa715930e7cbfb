# SPDX-License-Identifier: Apache-2.0
"""The shared base of the tests: a private bus, daemon and polkit, with requests from root and attacks from other users."""

import shutil
import tempfile
import time
import unittest
from pathlib import Path

import neighbours
import service
import users
from buses import Bus
from connection import BUS, Connection, Refused
from daemon import Daemon

# Where the first sample of a recording is not gravity, it never says how the tablet is held.
FREE_FALL = "t_s,ax,ay,az\n0,0,0,0\n0.04,0,0,0\n"


class World:
    """A bus, the daemon, polkit and root's own connection; `close` ends all of them."""

    # The runner says which.
    program = None
    bus_kind = "dbus-daemon"

    def __init__(self, rule=neighbours.asks_as_debian_does, sensor="simulated", settings=("SensorProxy=yes",), before=None):
        self.folder = Path(tempfile.mkdtemp(prefix="orientationd-hostile-"))
        self.folder.chmod(0o755)
        self.ends = [lambda: shutil.rmtree(self.folder, ignore_errors=True)]
        try:
            self.bus = self.closing(Bus(self.bus_kind, self.folder))
            self.address = self.bus.address
            self.root = self.closing(Connection(self.address), "close")
            if rule:
                self.polkit = self.start(users.ROOT, neighbours.polkit, self.address, rule)
                self.polkit.begin()
            if before:
                before(self)
            if sensor == "silent":
                recording = self.folder / "free-fall.csv"
                recording.write_text(FREE_FALL)
                sensor = f"replay:{recording}"
            self.daemon = self.closing(Daemon(self.program, self.address, self.folder, sensor, settings))
            self.wait_for_names("SensorProxy=yes" in settings)
        except BaseException:
            self.close()
            raise

    def closing(self, what, how="end"):
        self.ends.append(getattr(what, how))
        return what

    def close(self):
        for end in reversed(self.ends):
            end()

    def start(self, user, steps, *arguments):
        """A process of a user; its first step is done."""
        process = self.closing(users.Process(user, steps, *arguments))
        process.first = process.proceed()
        return process

    def wait_for_names(self, has_proxy):
        names = [service.NAME] + [service.PROXY] * has_proxy
        wait = neighbours.wait_until(lambda: all(map(self.owner, names)) or not self.daemon.is_alive, 20)
        if not wait or not self.daemon.is_alive:
            raise RuntimeError("the daemon does not come up:\n" + "\n".join(self.daemon.log))
        self.daemon_name = self.owner(service.NAME)

    def owner(self, name):
        try:
            return self.root.ask_bus("GetNameOwner", "s", name)[0]
        except Refused:
            return None


class HostileCase(unittest.TestCase):
    """Each test has a world of its own: an attack may end the daemon."""

    # Those that its tests are about.
    buses = Bus.KINDS

    def world(self, *arguments, **more):
        world = World(*arguments, **more)
        self.addCleanup(world.close)
        self.current = world
        return world

    def assert_serves(self, world, seconds=1.0, user="root"):
        """Root is answered, in time, by the same process."""
        self.assertTrue(world.daemon.is_alive, self.obituary(world))
        began = time.monotonic()
        try:
            with Connection(world.address) as client:
                client.ask(service.get(service.DEVICE, "HasAccelerometer"), timeout=60)
        except (TimeoutError, Refused, ConnectionError) as error:
            self.fail(f"{user} is not answered: {error!r}; {self.obituary(world)}")
        took = time.monotonic() - began
        self.assertTrue(world.daemon.is_alive, self.obituary(world))
        self.assertLessEqual(took, seconds, f"{user} waits for {took:.1f} s")

    def obituary(self, world):
        if world.daemon.is_alive:
            return f"the daemon has {world.daemon.descriptors()} descriptors and {world.daemon.memory()} kB"
        return f"the daemon has ended with {world.daemon.process.returncode}: " + " | ".join(world.daemon.log[-4:])

    def assert_level(self, before, world, descriptors=2, memory=2048):
        """As many descriptors and as much memory as before, soon."""
        def is_level():
            return (world.daemon.descriptors() <= before[0] + descriptors
                    and world.daemon.memory() <= before[1] + memory)
        self.assertTrue(world.daemon.is_alive, self.obituary(world))
        self.assertTrue(neighbours.wait_until(is_level, 10), f"{before} before; {self.obituary(world)}")


def figures(world):
    return world.daemon.descriptors(), world.daemon.memory()


def pid_of(connection, name):
    return connection.ask_bus("GetConnectionUnixProcessID", "s", name)[0]


__all__ = ["BUS", "HostileCase", "World", "figures", "pid_of"]
