# SPDX-License-Identifier: Apache-2.0
"""The shared base of the tests of the installed daemon: the daemon, a signal monitor, clients."""
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

import iio_device
import process_figures
from bus import Device, SignalMonitor
from bus_client import BusClient
from poses import ALL_SIX
from systemd_service import SystemdService
from waiting import wait_until

BEGIN = "BeginGeneratingDeviceOrientationNotifications"
END = "EndGeneratingDeviceOrientationNotifications"
LONGEST_CHECK = 2                   # seconds, on a busy machine
STATE_DIRECTORY = Path("/var/lib/orientationd")


def forget_state():
    """Remove what a stopped daemon would take up again, the lock above all."""
    for file in STATE_DIRECTORY.glob("*"):
        file.unlink()


def device_interface():
    return Device("org.orientationd1", "/org/orientationd1", "org.orientationd1.Device")


def orientation_signal(orientation):
    return lambda signal: signal.member == "OrientationDidChange" and signal.arguments[0] == orientation


def announced_property(name, value):
    return lambda signal: (signal.member == "PropertiesChanged"
                           and signal.changed_properties().get(name) == value)


class OrientationdCase(unittest.TestCase):
    """Each test finds the daemon stopped, with nothing kept; the first call on the bus starts it."""

    def setUp(self):
        self.device = device_interface()
        self.client = self.new_client()     # takes its time to start: meanwhile the rest is set up
        self.service = SystemdService("orientationd")
        self.service.stop()
        self.service.forget_failures()
        forget_state()
        self.addCleanup(forget_state)
        self.addCleanup(self.service.stop)
        self.signals = self.enterContext(SignalMonitor(self.device.service))

    def new_client(self):
        return self.enterContext(BusClient(self.device))

    def plug_in(self, sensor):
        """Plug a sensor in until the test is over and the daemon has ended; returns its IIO device."""
        sensor.plug()
        self.addCleanup(sensor.unplug)
        self.addCleanup(self.service.stop)
        return iio_device.wait_for(sensor.iio_name)

    def wait_for_property(self, name, value, timeout=10):
        wait_until(lambda: self.device.property(name) == value, timeout, f"{name} = {value}")

    def wait_for_orientation(self, name, timeout=10):
        """Until the daemon has it, and the monitor, which may be later than the answer, has the signal: what comes from then on is new."""
        self.wait_for_property("OrientationName", name, timeout)
        orientation = self.device.property("Orientation")
        wait_until(lambda: [signal.arguments[0] for signal in self.signals.since(0, "OrientationDidChange")][-1:] == [orientation],
                   timeout, f"the signal of {name}")

    def expect_signal(self, wanted, position, what, timeout=10):
        signal = self.signals.wait_for(wanted, position, timeout)
        self.assertIsNotNone(signal, f"no {what} on the bus, but: {self.signals.since(position)}")
        return signal

    def kill_daemon_and_client(self):
        """And wait for the next daemon, which would go on for a client that is still there. The one that ends does not see its client go."""
        killed = self.service.process
        os.kill(killed, signal.SIGSTOP)
        self.client.kill()
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: self.service.process not in (0, killed), 30, "the next daemon")

    def wake_ups(self, seconds):
        """How often the daemon wakes up, in all its threads, once it has dealt with what happened until now."""
        counter = self.counter_at_rest()
        time.sleep(seconds)
        return counter.work.wake_ups

    def checks(self, seconds):
        """How often the daemon wakes up by itself. While it checks a hub, it waits for the answer, which is no wake-up of its own."""
        counter = self.counter_at_rest()
        end, began, wake_ups = time.monotonic() + seconds, [], 0
        while time.monotonic() < end:
            time.sleep(0.2)
            before, wake_ups = wake_ups, counter.work.wake_ups
            if wake_ups != before and (not began or time.monotonic() - began[-1] > LONGEST_CHECK):
                began.append(time.monotonic())
        return len(began)

    def counter_at_rest(self):
        """On a busy machine, udev may only now report the devices of the test before; 2 s after that, the daemon frees its memory."""
        subprocess.run(["udevadm", "settle"], check=True)
        time.sleep(2.5)
        return process_figures.WorkCounter(self.service.process)

    def check_all_six_poses(self, sensor):
        """Through every pose: the signal with its time, the announcement, the properties."""
        sensor.hold(ALL_SIX[-1])
        self.client.call(BEGIN)
        self.wait_for_orientation(ALL_SIX[-1].name)
        for pose in ALL_SIX:
            with self.subTest(pose=pose.name):
                self._check_turn_to(pose, sensor)

    def _check_turn_to(self, pose, sensor):
        position = self.signals.position
        turned_at = boot_time()
        sensor.hold(pose)
        signal = self.expect_signal(orientation_signal(pose.orientation), position, "OrientationDidChange")
        decided_at = signal.arguments[2] / 1e6
        self.assertTrue(turned_at < decided_at < boot_time(), f"{turned_at} < {decided_at} < {boot_time()}")
        self.expect_signal(announced_property("Orientation", pose.orientation), position, "PropertiesChanged")
        self.expect_signal(announced_property("OrientationName", pose.name), position, "PropertiesChanged")
        self.assertEqual(self.device.property("Orientation"), pose.orientation)
        self.assertEqual(self.device.property("OrientationName"), pose.name)
        self.assertEqual(len(self.signals.since(position, "OrientationDidChange")), 1, "one turn, one signal")


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)
