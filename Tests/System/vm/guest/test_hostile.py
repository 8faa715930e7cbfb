# SPDX-License-Identifier: Apache-2.0
"""Unprivileged users attack the installed daemon on the system bus, under systemd and a real polkit."""
import subprocess
import sys
import unittest
from pathlib import Path

import iio_device
from bus import CallFailed, RemoteObject
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from orientationd_case import device_interface, forget_state
from poses import PORTRAIT
from sensor_proxy_case import CLAIM, SensorProxyCase
from systemd_service import SystemdService
from test_sensor_proxy_users import IN_A_SESSION, OWNER, show_screen
from waiting import wait_until

sys.path.append("/opt/vm-tests/hostile")

import attacks                              # noqa: E402
import random_attacks                       # noqa: E402
import service as calls                     # noqa: E402
from connection import Connection           # noqa: E402
from users import NOBODY, SECOND, Process   # noqa: E402

ADDRESS = "unix:path=/run/dbus/system_bus_socket"
# Emulation makes everything slow, and the daemon shares the processors with its attackers.
SEED, SECONDS = 1, 20


def system_bus():
    """dbus-daemon or dbus-broker."""
    return SystemdService("dbus").show("Names").replace("dbus.service", "").strip() or "dbus-daemon"


class ServiceUnderAttack(unittest.TestCase):
    """After each attack the service is as it was: the same process, never started again, its subscriber still there."""

    def setUp(self):
        self.service = SystemdService("orientationd")
        self.service.stop()
        self.service.forget_failures()
        forget_state()
        self.addCleanup(forget_state)
        hub = HidSensorHub()
        hub.plug()
        self.addCleanup(hub.unplug)
        self.addCleanup(self.service.stop)
        iio_device.wait_for(hub.iio_name)
        hub.hold(PORTRAIT)
        self.root = self.enterContext(Connection(ADDRESS))
        self.root.ask(attacks.begin(), 30)
        wait_until(lambda: calls.sensor_status(self.root, 30) == "active", 20, "the sensor runs")
        self.process, self.descriptors = self.service.process, self.count_descriptors()
        self.daemon_name = self.root.ask_bus("GetNameOwner", "s", calls.NAME)[0]

    def count_descriptors(self):
        return len(list(Path(f"/proc/{self.service.process}/fd").iterdir()))

    def attack(self, *arguments, user=NOBODY, steps=1):
        attacker = Process(user, *arguments)
        try:
            for _ in range(steps):
                attacker.proceed(100)
            self.check("amid the attack")
        finally:
            attacker.end()
        self.check("after the attack")
        wait_until(lambda: self.count_descriptors() <= self.descriptors + 2, 20, "the descriptors are closed")

    def check(self, when):
        with Connection(ADDRESS) as root:
            answer = root.ask(calls.device("MeasureOrientation"), 60)
        self.assertEqual((self.service.process, self.service.show("NRestarts")), (self.process, "0"), when)
        self.assertEqual(self.service.show("ActiveState"), "active")
        self.assertEqual(answer, (1, "portrait"), when)
        self.assertEqual(calls.sensor_status(self.root, 60), "active", when)

    def tearDown(self):
        if self.service.process == self.process:
            self.root.ask(calls.device(calls.END), 60)

    def test_survives_forged_signals(self):
        words = [attacks.departure(self.daemon_name, self.root.name), attacks.sleep_signal(self.daemon_name, True),
                 attacks.bus_signal(self.daemon_name, "NameLost", "s", calls.NAME)]
        self.attack(attacks.send, ADDRESS, *words)

    def test_survives_descriptors_with_calls_that_wait_for_polkit(self):
        self.attack(attacks.hold_calls, ADDRESS, 16, 8, attacks.lock_with_password, attacks.DESCRIPTORS_PER_MESSAGE)

    def test_survives_descriptors_with_messages_that_libsystemd_drops(self):
        too_long = attacks.long_path(35_000)
        self.attack(attacks.call_again_and_again, ADDRESS, lambda: too_long, 80, attacks.DESCRIPTORS_PER_MESSAGE)

    def test_survives_long_paths(self):
        self.attack(attacks.call_again_and_again, ADDRESS, lambda: attacks.long_path(16_000), 20)

    def test_survives_names_of_16_megabytes(self):
        # Two: libsystemd validates a string before anybody sees how long it is, for seconds here.
        self.attack(attacks.call_again_and_again, ADDRESS, lambda: calls.get_all(b"a" * (16 << 20)), 2)

    def test_survives_everything_by_chance(self):
        print(f"      on {system_bus()}, for {SECONDS} s, seed {SEED}")
        other = Process(SECOND, random_attacks.attack, ADDRESS, self.daemon_name, f"{SEED} 1", SECONDS)
        try:
            other.proceed()
            other.begin()
            self.attack(random_attacks.attack, ADDRESS, self.daemon_name, f"{SEED} 0", SECONDS, steps=2)
        finally:
            other.end()


def nobody(*command):
    return subprocess.run(command, user="nobody", capture_output=True, text=True, timeout=30)


class WhoMayReadTheGravity(unittest.TestCase):
    REFUSAL = "AccessDenied|not allowed|authoriz"

    def setUp(self):
        self.device = device_interface()
        self.sensor = RemoteObject(self.device.service, self.device.path, "org.orientationd1.Sensor")
        service = SystemdService("orientationd")
        service.stop()
        service.forget_failures()
        # It is known only while somebody has the sensor run.
        hub = HidSensorHub()
        hub.plug()
        self.addCleanup(hub.unplug)
        self.addCleanup(service.stop)
        iio_device.wait_for(hub.iio_name)
        hub.hold(PORTRAIT)
        root = self.enterContext(Connection(ADDRESS))
        root.ask(attacks.begin(), 30)
        wait_until(lambda: calls.sensor_status(root, 30) == "active", 20, "the sensor runs")

    def client(self, start):
        return self.enterContext(BusClient(self.sensor, start))

    def follow(self, start):
        client = self.enterContext(BusClient(self.device, start))
        client.call("BeginGeneratingDeviceOrientationNotifications")
        client.leave()

    def test_root_may(self):
        self.assertEqual(len(self.sensor.call("MeasureGravity")), 3)

    def test_who_sits_before_the_screen_may_until_somebody_else_does(self):
        self.addCleanup(show_screen, 1)
        client = self.client(IN_A_SESSION)
        client.call("MeasureGravity")
        show_screen(2)
        wait_until(lambda: not is_active(OWNER), 10, "another screen")
        with self.assertRaisesRegex(RuntimeError, self.REFUSAL):
            client.call("MeasureGravity")
        client.leave()
        self.follow(IN_A_SESSION)

    def test_a_user_without_a_session_may_not_but_may_follow_the_orientation(self):
        start = ("setpriv", "--reuid", "nobody", "--clear-groups")
        client = self.client(start)
        with self.assertRaisesRegex(RuntimeError, self.REFUSAL):
            client.call("MeasureGravity")
        client.leave()
        self.follow(start)

    def test_nobody_reads_it_as_a_property(self):
        for remote in self.device, self.sensor:
            with self.assertRaisesRegex(CallFailed, "UnknownProperty"):
                remote.property("Gravity")


def is_active(user):
    return "State=active" in subprocess.run(["loginctl", "show-user", user], capture_output=True, text=True).stdout


class WhoSeesTheTilt(SensorProxyCase):
    def tilt_for_nobody(self):
        return nobody("busctl", "get-property", self.proxy.service, self.proxy.path, self.proxy.interface,
                      "AccelerometerTilt").stdout.strip()

    def test_only_who_has_claimed(self):
        self.plug(hub := HidSensorHub())
        hub.hold(PORTRAIT)
        claimant = Connection(ADDRESS)
        self.addCleanup(claimant.close)
        claimant.ask(calls.proxy(CLAIM), 30)
        wait_until(lambda: self.tilt_of(claimant) == "vertical", 20, "the claimant sees it")
        self.assertEqual(self.tilt_for_nobody(), 's "undefined"')

    def tilt_of(self, connection):
        return connection.ask(calls.get(calls.PROXY, "AccelerometerTilt", calls.PROXY_PATH, calls.PROXY), 30)[0][1]
