# SPDX-License-Identifier: Apache-2.0
"""Every client may read the orientation; reading the movement, or running a sensor, needs permission."""

import math
import time

import service
import users
from case import HostileCase
from connection import Connection
from message import ERROR
from users import NOBODY


def ask(address, *calls):
    """What each call is answered, or the name of the error."""
    with Connection(address) as connection:
        for call in calls:
            reply = connection.reply_to(connection.send(call), 10)
            yield reply.error if reply.kind == ERROR else reply.body


def keep_claim(address):
    connection = Connection(address)
    connection.ask(service.proxy("ClaimAccelerometer"))
    yield "claimed"


class WhoMayUseTheSensor(HostileCase):
    def as_user(self, world, user, *calls):
        process = world.closing(users.Process(user, ask, world.address, *calls))
        return [process.proceed() for _ in calls]

    def held_on(self):
        """A world in which root has the sensor run."""
        world = self.world()
        world.root.ask(service.device(service.BEGIN))
        world.root.ask(service.proxy("ClaimAccelerometer"))
        time.sleep(0.5)
        return world

    def test_nobody_may_read_the_orientation(self):
        world = self.held_on()
        got, begun, ended = self.as_user(world, NOBODY, *map(service.device, ("MeasureOrientation", service.BEGIN, service.END)))
        self.assertEqual(got, (1, "portrait"))
        self.assertEqual((begun, ended), ((), ()))

    def test_nobody_may_not_read_the_gravity(self):
        world = self.held_on()
        answer, old, everything = self.as_user(
            world, NOBODY, service.measure_gravity(), service.get(service.DEVICE, "Gravity"), service.get_all(service.DEVICE))
        self.assertEqual(answer, "org.freedesktop.DBus.Error.AccessDenied")
        self.assertIsInstance(old, str, f"the property Gravity reads {old}")
        self.assertNotIn("Gravity", everything[0])

    def test_root_may_read_the_gravity(self):
        world = self.held_on()
        gravity = world.root.ask(service.measure_gravity())
        self.assertAlmostEqual(math.hypot(*gravity), 9.8, delta=0.5)

    def test_nobody_may_not_hold_a_sensor_on(self):
        world = self.world()
        kinds = "Accelerometer", "Light", "Proximity"
        answers = self.as_user(world, NOBODY, *(service.proxy(f"Claim{kind}") for kind in kinds))
        self.assertEqual(answers, ["org.freedesktop.DBus.Error.AccessDenied"] * 3)
        self.assertEqual(service.sensor_status(world.root), "idle")

    def test_who_has_not_claimed_sees_no_tilt(self):
        world = self.held_on()
        one, everything = self.as_user(
            world, NOBODY, service.get(service.PROXY, "AccelerometerTilt", service.PROXY_PATH, service.PROXY), self.all_of_proxy())
        self.assertEqual(one, (("s", "undefined"),))
        self.assertEqual(everything[0]["AccelerometerTilt"], ("s", "undefined"))

    def test_who_has_claimed_sees_the_tilt(self):
        world = self.held_on()
        values, = world.root.ask(self.all_of_proxy())
        self.assertNotEqual(values["AccelerometerTilt"], ("s", "undefined"))

    def all_of_proxy(self):
        call = service.get_all(service.PROXY)
        call.path, call.destination = service.PROXY_PATH, service.PROXY
        return call
