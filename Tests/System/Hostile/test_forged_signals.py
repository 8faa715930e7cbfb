# SPDX-License-Identifier: Apache-2.0
"""No client can forge signals of the bus or of logind, although every client may send a signal to one connection."""

import subprocess
import time

import attacks
import neighbours
import service
import users
from case import HostileCase, World
from connection import Connection, Refused
from message import INTERACTIVE, RETURN, SIGNAL, Message
from users import NOBODY, SECOND


def lock_and_wait(address):
    """A user's program that asks polkit; says how it was answered."""
    connection = Connection(address)
    yield connection.name
    serial = connection.send(service.set_lock(True, flags=INTERACTIVE))
    attacks.arrived(connection)
    yield "asked"
    try:
        reply = connection.reply_to(serial, 10)
        yield "carried out" if reply.kind == RETURN else reply.error
    except TimeoutError:
        yield "never answered"


class ForgedSignals(HostileCase):
    def forge(self, world, *messages):
        world.start(NOBODY, attacks.send, world.address, *messages)

    def addresses(self, world):
        return world.daemon_name, service.NAME

    def subscribed(self, **more):
        world = self.world(**more)
        world.root.match(f"type='signal',interface='{service.DEVICE}'")
        world.root.ask(attacks.begin())
        self.assertTrue(neighbours.wait_until(lambda: service.sensor_status(world.root) == "active", 5))
        return world

    def assert_still_subscribed(self, world):
        time.sleep(0.3)
        self.assertEqual(service.sensor_status(world.root), "active")
        unknown = [each for each in world.root.signals("OrientationDidChange", 0.5) if each.body[1] == "unknown"]
        self.assertEqual(unknown, [])

    def test_a_forged_departure_drops_nobodys_subscription(self):
        world = self.subscribed()
        self.forge(world, *[attacks.departure(where, world.root.name) for where in self.addresses(world)])
        self.assert_still_subscribed(world)
        try:
            world.root.ask(service.device(service.END))
        except Refused as refusal:
            self.fail(f"root's End is refused: {refusal}")

    def test_a_forged_departure_drops_nobodys_claim(self):
        world = self.subscribed()
        world.root.ask(service.proxy("ClaimAccelerometer"))
        world.root.ask(service.device(service.END))
        self.forge(world, *[attacks.departure(where, world.root.name) for where in self.addresses(world)])
        self.assert_still_subscribed(world)

    def test_a_forged_word_of_sleep_does_not_stop_the_sensor(self):
        world = self.subscribed()
        self.forge(world, *[attacks.sleep_signal(where, True) for where in self.addresses(world)])
        self.assert_still_subscribed(world)

    def test_a_forged_word_of_sleep_does_not_stop_the_sensor_beside_a_real_logind(self):
        world = self.subscribed(before=lambda world: world.start(users.ROOT, neighbours.serve, world.address, attacks.LOGIN, neighbours.fail))
        self.forge(world, *[attacks.sleep_signal(where, True) for where in self.addresses(world)])
        self.assert_still_subscribed(world)

    def test_logind_itself_is_heeded(self):
        world = self.subscribed(before=start_logind)
        world.logind.proceed()
        self.assertTrue(neighbours.wait_until(lambda: service.sensor_status(world.root) == "idle", 5))
        world.logind.proceed()
        self.assertTrue(neighbours.wait_until(lambda: service.sensor_status(world.root) == "active", 5))

    def test_a_forged_change_of_loginds_owner_does_not_stop_the_sensor(self):
        world = self.subscribed()
        word = attacks.bus_signal(world.daemon_name, "NameOwnerChanged", "sss", attacks.LOGIN, "", ":1.1")
        self.forge(world, word, attacks.sleep_signal(world.daemon_name, True))
        self.assert_still_subscribed(world)

    def test_a_forged_departure_cancels_nobodys_question_to_polkit(self):
        world = self.world(rule=lambda user, action, flags: neighbours.Later(3, neighbours.YES))
        victim = world.start(SECOND, lock_and_wait, world.address)
        victim.proceed()
        self.forge(world, *[attacks.departure(where, victim.first) for where in self.addresses(world)])
        self.assertEqual(victim.proceed(), "carried out")

    def test_a_forged_departure_drops_nobodys_waiting_call(self):
        world = self.world(sensor="silent")
        serial = world.root.send(attacks.get_orientation())
        attacks.arrived(world.root)
        time.sleep(0.2)
        self.forge(world, *[attacks.departure(where, world.root.name) for where in self.addresses(world)])
        try:
            world.root.reply_to(serial, 8)
        except TimeoutError:
            self.fail("root's MeasureOrientation is never answered")

    def test_a_forged_name_does_not_make_the_daemon_believe_that_it_is_its_own(self):
        def take_name(world):
            world.root.ask_bus("RequestName", "su", service.PROXY, 0)
        world = self.world(before=take_name)
        time.sleep(0.3)
        self.forge(world, *[attacks.bus_signal(where, "NameAcquired", "s", service.PROXY) for where in self.addresses(world)])
        time.sleep(0.3)
        self.assertEqual([line for line in world.daemon.log if "has become free" in line], [])

    def test_orientationctl_believes_nobody_else(self):
        world = self.world()
        monitor = subprocess.Popen(
            [World.tool, "monitor"], stdout=subprocess.PIPE, text=True,
            env={"DBUS_SYSTEM_BUS_ADDRESS": world.address, "PATH": "/usr/bin:/bin"})
        world.ends.append(lambda: (monitor.kill(), monitor.wait(), monitor.stdout.close()))
        time.sleep(1)
        everybody = world.root.ask_bus("ListNames")[0]
        lies = [lie(name) for name in everybody if name.startswith(":") and name not in (world.daemon_name, world.root.name)]
        self.forge(world, *lies)
        time.sleep(0.5)
        monitor.terminate()
        self.assertNotIn("faceDown", monitor.communicate(timeout=10)[0])


def lie(client):
    return Message(SIGNAL, service.PATH, service.DEVICE, "OrientationDidChange", destination=client, signature="ust",
                   body=(6, "faceDown", 1))


def start_logind(world):
    world.logind = world.start(users.ROOT, logind, world.address)


def logind(address):
    """Says that the machine goes to sleep, and that it is awake."""
    connection = Connection(address)
    connection.ask_bus("RequestName", "su", attacks.LOGIN, 0)
    yield connection.name
    for is_about_to_sleep in (True, False):
        connection.send(attacks.sleep_signal(None, is_about_to_sleep))
        attacks.arrived(connection)
        yield is_about_to_sleep
