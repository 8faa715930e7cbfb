# SPDX-License-Identifier: Apache-2.0
"""The installed daemon beside iio-sensor-proxy on the same HID sensor hub, and after a daemon that was killed while it sampled."""
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from bus import SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from incumbent import BUFFER_LENGTH, CLAIM, is_called, sensor_proxy_interface, sensor_proxy_service
from orientationd_case import BEGIN, END, OrientationdCase, orientation_signal
from poses import LANDSCAPE_LEFT, LANDSCAPE_RIGHT, ONE_TURN, PORTRAIT
from test_hid_buffered import POWER_DOWN_TIMEOUT
from waiting import wait_until

NOTICED = 30                        # seconds, several times what the daemon takes until it looks again
TOLD = 30                           # seconds


class NeighbourCase(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.incumbent = sensor_proxy_service()
        self.incumbent.stop()
        self.incumbent.forget_failures()
        self.hub = HidSensorHub()
        self.iio = self.plug_in(self.hub)
        _ = self.iio.acceleration       # from its first use on, the kernel says how long it stays powered
        wait_until(lambda: not self.hub.powered, POWER_DOWN_TIMEOUT, "power-down after probing")
        self.addCleanup(self.incumbent.stop)

    def settings(self):
        return self.iio.settings

    def start_incumbent(self):
        """With a client that has claimed the accelerometer."""
        self.incumbent.start()
        self.incumbents_signals = self.enterContext(SignalMonitor(sensor_proxy_interface().service))
        client = self.enterContext(BusClient(sensor_proxy_interface()))
        client.call(CLAIM)
        self.turn(LANDSCAPE_RIGHT, ours=False)
        return client

    def begin(self):
        self.hub.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)

    def turn(self, pose, ours=True, incumbent=True):
        """Who of the two is told of a turn, each as it says it."""
        at = self.signals.position
        incumbents = self.incumbents_signals.position if incumbent else None
        self.hub.hold(pose)
        if ours:
            self.expect_signal(orientation_signal(pose.orientation), at, f"turn to {pose.name}", TOLD)
        if incumbents is not None:
            told = self.incumbents_signals.wait_for(is_called(pose), incumbents, TOLD)
            self.assertIsNotNone(told, f"iio-sensor-proxy says nothing of the turn to {pose.name}: {self.settings()}")

    def told(self, words):
        """What the journal says with these words."""
        return [entry["MESSAGE"] for entry in self.service.journal() if words in entry["MESSAGE"]]

    def wait_for_own_buffer(self):
        wait_until(lambda: self.iio.buffer_enabled and self.iio.read("buffer/length") != BUFFER_LENGTH, NOTICED,
                   "the buffer as ours sets it up")


class IioSensorProxyThatHasTheBuffer(NeighbourCase):
    def setUp(self):
        super().setUp()
        self.start_incumbent()
        self.before = self.settings()
        self.assertEqual(self.before["buffer/length"], BUFFER_LENGTH)

    def expect_nothing_changed(self, *words):
        subprocess.run(words, check=True, capture_output=True, timeout=60)
        self.assertEqual(self.settings(), self.before)
        self.turn(LANDSCAPE_LEFT, ours=False)

    def test_keeps_it_as_it_is_when_the_status_is_asked_for(self):
        self.expect_nothing_changed("orientationctl", "status")

    def test_keeps_it_as_it_is_when_the_sensor_is_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "recording.csv")
            self.expect_nothing_changed("orientationctl", "record", "--seconds", "2", file)
            self.assertIn("# sampling: polled", file.read_text())

    def test_and_ours_are_both_told_of_every_turn_and_either_goes_on_without_the_other(self):
        self.begin()
        self.assertEqual(self.settings(), self.before)
        for pose in (LANDSCAPE_LEFT, *ONE_TURN):
            self.turn(pose)
        self.assertEqual(self.settings(), self.before)
        self.client.call(END)
        self.turn(PORTRAIT, ours=False)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        self.service.stop()
        self.assertEqual(self.settings(), self.before)
        self.turn(LANDSCAPE_LEFT, ours=False)
        self.client.call(BEGIN)
        self.wait_for_orientation(LANDSCAPE_LEFT.name)
        self.assertEqual(len(self.told("polling it instead")), 1, self.told(""))
        # It ends as it is, and leaves the buffer on.
        self.incumbent.stop()
        self.turn(PORTRAIT, incumbent=False)
        self.wait_for_own_buffer()
        self.turn(LANDSCAPE_RIGHT, incumbent=False)
        self.client.call(END)
        wait_until(lambda: not self.iio.buffer_enabled, 5, "end of the buffer")

    def test_keeps_it_when_ours_is_killed(self):
        self.begin()
        killed = self.service.process
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: self.service.process not in (0, killed), NOTICED, "the next daemon")
        # What the client has begun goes on.
        self.wait_for_property("SensorStatus", "active", NOTICED)
        self.assertEqual(self.settings(), self.before)
        self.turn(LANDSCAPE_LEFT)


class IioSensorProxyThatComesLater(NeighbourCase):
    def test_gets_the_buffer_and_both_are_told_of_every_turn_until_it_ends(self):
        self.begin()
        self.assertTrue(self.iio.buffer_enabled)
        client = self.start_incumbent()
        for pose in (PORTRAIT, LANDSCAPE_LEFT, LANDSCAPE_RIGHT):
            self.turn(pose)
        self.client.call(END)
        self.turn(PORTRAIT, ours=False)
        self.begin()
        client.leave()
        self.incumbent.stop()
        self.turn(LANDSCAPE_LEFT, incumbent=False)
        wait_until(lambda: self.told("buffer works again"), NOTICED, "the buffer to be ours again")
        self.client.call(END)
        wait_until(lambda: not self.iio.buffer_enabled, 5, "end of the buffer")


class DaemonKilledWhileItSamples(NeighbourCase):
    def test_has_its_sensor_switched_off_by_the_next_one_although_nobody_asks(self):
        before = self.settings()
        self.begin()
        self.assertNotEqual(self.settings(), before)
        self.kill_daemon_and_client()
        self.expect_settings(before)
        wait_until(lambda: not self.hub.powered, POWER_DOWN_TIMEOUT, "power-down")

    def test_at_rest_has_its_hub_report_everything_again(self):
        before = self.settings()
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")
        self.kill_daemon_and_client()
        self.expect_settings(before)
        self.assertEqual(self.hub.sensitivity, 0)

    def expect_settings(self, before):
        wait_until(lambda: self.settings() == before, 30, lambda: f"the settings as they were: {before}, not {self.settings()}")
