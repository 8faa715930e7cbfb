# SPDX-License-Identifier: Apache-2.0
"""Programs read motion from the socket of the installed daemon: a tablet with a sensor hub that has an accelerometer and a
gyroscope."""
import os
import time
from contextlib import ExitStack

import process_figures
from hid_motion_hub import HidMotionHub
from hid_sensor import Firmware
from hid_sensor_hub import HidSensorHub
from machine_sleep import SleepToldByLogind
from motion_case import FOLLOWS, MotionCase, forces
from motion_client import (ACCELEROMETER, ACTIVE, GRAVITY, GYROSCOPE, LIMITS_EXCEEDED, NO_SENSOR, PATH, STOPPED, SUSPENDED, MotionClient)
from orientationd_case import boot_time
from poses import FACE_UP, LANDSCAPE_LEFT, PORTRAIT
from waiting import wait_until

# The kernel's driver keeps the sensor powered for three more seconds after its last use.
POWER_DOWN_TIMEOUT = 10
MOST_CONNECTIONS = 64               # of a user
# The queue of a connection holds 80 to 90 records: 3.6 s of such a hub. The programs want more, so each gets all that it reports.
COMPARED = 80                       # samples that readers must have in common
RATE_OF_MANY, SLOW_HUB = 50, Firmware(fastest_interval=40)
QUEUE_IS_FULL, LATER = 130, 50      # samples


class HubCase(MotionCase):
    @classmethod
    def setUpClass(cls):
        cls.hub = HidMotionHub()
        cls.accelerometer, cls.gyroscope = cls.plug_in(cls.hub, "accel_3d", "gyro_3d")

    def setUp(self):
        self.hub.accelerometer.hold(PORTRAIT)
        self.hub.gyroscope.turn(0, 0, 0)

    def expect_power_down(self, sensor, device):
        wait_until(lambda: not device.buffer_enabled, 5, "end of the buffer")
        wait_until(lambda: not sensor.powered, POWER_DOWN_TIMEOUT, "power-down")


class TabletThatIsRead(HubCase):
    def test_200_times_a_second_loses_nothing_and_has_the_axes_of_the_screen(self):
        program = self.program(accelerometer=200, gyroscope=100)
        program.wait_for(lambda records: len(records.of(GYROSCOPE).samples) > 10 and len(records.of(ACCELEROMETER).samples) > 10,
                         "samples of both")
        self.assertEqual(self.hub.accelerometer.report_interval, 5)
        self.assertEqual(self.hub.gyroscope.report_interval, 10)
        turns = [self.turn(pose, rates) for pose, rates in ((PORTRAIT, (0, 0, 1)), (LANDSCAPE_LEFT, (0.5, 0, 0)),
                                                            (FACE_UP, (0, -2, 0.25)))]
        program.wait_for_samples(1)
        records = program.records
        for sensor in ACCELEROMETER, GYROSCOPE:
            stream = records.of(sensor)
            self.assertEqual(stream.lost, 0)
            self.assertEqual(stream.states[-1], ACTIVE)
            self.assertGreater(min(stream.intervals), 0)
            self.assertTrue(all(record.nanoseconds <= record.received for record in stream.samples))
            for index, (began, ended, *axes) in enumerate(turns):
                with self.subTest(sensor=sensor, turn=index):
                    samples = stream.samples.since(began + FOLLOWS, ended)
                    self.expect_axes(samples, sensor, axes[sensor - ACCELEROMETER])

    def turn(self, pose, rates, lasts=2):
        """When it has begun and ended, and what the sensors read meanwhile."""
        self.hub.accelerometer.hold(pose)
        began = self.hub.gyroscope.turn(*rates)
        time.sleep(lasts)
        return began, began + lasts, forces(pose), rates

    def test_at_several_rates_at_once_has_each_program_its_own(self):
        fast, slow = self.program(accelerometer=200), self.program(accelerometer=10, gravity=50)
        fast.wait_for_samples(10)
        slow.wait_for(lambda records: len(records.of(ACCELEROMETER).samples) > 20, "samples at the slow rate")
        self.expect_axes(slow.records.of(GRAVITY).samples[25:], ACCELEROMETER, forces(PORTRAIT))
        between = sorted(slow.records.of(ACCELEROMETER).intervals)
        self.assertAlmostEqual(between[len(between) // 2], 100, delta=10)
        self.assertEqual(slow.records.lost, 0)

    def test_and_whose_program_is_killed_powers_down_with_the_last_one(self):
        first, second = self.program(accelerometer=200), self.program(accelerometer=50, gyroscope=50)
        first.wait_for_samples(10)
        second.wait_for(lambda records: all(records.of(sensor).samples for sensor in (ACCELEROMETER, GYROSCOPE)), "samples of both")
        first.kill()
        second.wait_for_samples(100)
        self.assertEqual(second.records.lost, 0)
        wait_until(lambda: self.hub.accelerometer.report_interval == 20, 10, "the lower rate")
        wait_until(lambda: self.accelerometer.buffer_enabled and self.gyroscope.buffer_enabled, 5, "both buffers")
        second.kill()
        self.expect_power_down(self.hub.accelerometer, self.accelerometer)
        self.expect_power_down(self.hub.gyroscope, self.gyroscope)

    def test_until_a_program_stops_one_of_its_streams_lets_that_sensor_go(self):
        client = self.connect()
        for sensor in ACCELEROMETER, GYROSCOPE:
            client.start(sensor, 50)
            client.wait_for_samples(1, sensor)
        client.stop(GYROSCOPE)
        client.wait_for_state(STOPPED, GYROSCOPE)
        wait_until(lambda: not self.gyroscope.buffer_enabled, 5, "end of the buffer")
        # It may just be opened at a lower rate, if a program before has wanted a higher one.
        wait_until(lambda: self.hub.accelerometer.report_interval == 20 and self.accelerometer.buffer_enabled, 5,
                   "the other sensor's buffer")
        client.wait_for_sample_since(boot_time() + 0.4, ACCELEROMETER)
        self.assertTrue(self.accelerometer.buffer_enabled)

    def test_while_the_daemon_is_stopped_or_killed_is_read_again_through_the_same_socket(self):
        node = os.stat(PATH)
        for end in self.service.stop, self.kill_daemon:
            with MotionClient() as client:
                client.start(ACCELEROMETER, 50)
                client.wait_for_samples(5, ACCELEROMETER)
                end()
                client.wait_for_end()
        client = self.connect()
        client.start(ACCELEROMETER, 50)
        client.wait_for_samples(5, ACCELEROMETER)
        self.assertEqual(os.stat(PATH).st_ino, node.st_ino)
        self.service.forget_failures()

    def test_when_it_is_unplugged_says_so_and_is_read_when_it_is_plugged_in_again(self):
        client = self.connect()
        for sensor in ACCELEROMETER, GYROSCOPE:
            client.start(sensor, 50)
            client.wait_for_samples(1, sensor)
        self.hub.unplug()
        client.wait_for(lambda records: all(NO_SENSOR in records.of(sensor).states for sensor in (ACCELEROMETER, GYROSCOPE)),
                        "word that both are gone")
        self.hub.plug()
        for sensor in ACCELEROMETER, GYROSCOPE:
            client.wait_for_samples(5, sensor)
            self.assertEqual(client.records.of(sensor).lasting_states[-2:], [NO_SENSOR, ACTIVE])
            self.assertEqual(client.records.of(sensor).lost, 0)


class ManyReaders(MotionCase):
    """As many as one user may have, half of which never read."""

    @classmethod
    def setUpClass(cls):
        hub = HidSensorHub(firmware=SLOW_HUB)
        cls.plug_in(hub, hub.iio_name)

    def test_cost_little_memory_and_take_nothing_from_each_other(self):
        clients = self.enterContext(ExitStack())
        first = self.stream(clients)
        first.wait_for_samples(5, ACCELEROMETER)
        before = process_figures.memory(self.service.process)
        reading, silent = [first], []
        for others in reading, silent:
            while len(others) < MOST_CONNECTIONS // 2:
                others.append(self.stream(clients))
                # In a busy guest, the first queue would be full before the last program has begun.
                for client in reading:
                    client.receive()
        self.read(reading, QUEUE_IS_FULL)
        full = process_figures.memory(self.service.process)
        self.read(reading, LATER)
        later = process_figures.memory(self.service.process)
        print(f"      proportional memory: {before.proportional} kB with one reader, {full.proportional} with {MOST_CONNECTIONS}, "
              f"{later.proportional} when half of them have not read for longer", flush=True)
        self.assertLess(later.anonymous - full.anonymous, 64)
        self.assertLess(later.anonymous - before.anonymous, 1024)
        self.expect_no_more_connections()
        self.expect_that_all_have_the_same(reading)
        for client in silent[:2]:
            self.expect_that_what_is_missing_is_counted(client, first)

    @staticmethod
    def stream(clients):
        client = clients.enter_context(MotionClient())
        client.start(ACCELEROMETER, RATE_OF_MANY)
        return client

    @staticmethod
    def read(clients, count):
        """Until the first one has so many samples more, and each has enough to compare."""
        first = clients[0].records
        wanted = len(first.samples) + count

        def is_there():
            for client in clients:
                client.receive()
            return len(first.samples) >= wanted and all(len(client.records.samples) > 2 * COMPARED for client in clients)
        wait_until(is_there, 20, lambda: f"{wanted} samples, there are {[len(client.records.samples) for client in clients]}")

    def expect_no_more_connections(self):
        another = self.connect()
        another.wait_for_end()
        self.assertEqual([(record.sensor, record.code) for record in another.records], [(0, LIMITS_EXCEEDED)])

    def expect_that_all_have_the_same(self, clients):
        times = [{record.nanoseconds for record in client.records.samples} for client in clients]
        began, ended = max(map(min, times)), min(map(max, times))
        in_common = {time for time in times[0] if began <= time <= ended}
        self.assertGreater(len(in_common), COMPARED)
        for client, own in zip(clients, times):
            self.assertEqual(client.records.lost, 0)
            self.assertEqual({time for time in own if began <= time <= ended}, in_common)

    def expect_that_what_is_missing_is_counted(self, silent, reading):
        """It reads at last: what was in its queue, and then a sample that says how many there have been since."""
        silent.wait_for(lambda records: records.lost, "the number of samples that were lost")
        reading.receive()
        samples = silent.records.samples
        gap = next(index for index, record in enumerate(samples) if record.lost)
        sent = [record for record in reading.records.samples if samples[0].nanoseconds <= record.nanoseconds <= samples[gap].nanoseconds]
        self.assertEqual(gap + samples[gap].lost + 1, len(sent))
        self.assertEqual(samples.lost, samples[gap].lost)


class SleepingTabletThatIsRead(HubCase):
    def test_says_that_it_sleeps_and_is_read_when_it_is_awake(self):
        client = self.connect()
        for sensor in ACCELEROMETER, GYROSCOPE:
            client.start(sensor, 50)
            client.wait_for_samples(1, sensor)
        with SleepToldByLogind():
            client.wait_for(lambda records: all(SUSPENDED in records.of(sensor).states for sensor in (ACCELEROMETER, GYROSCOPE)),
                            "word of the sleep")
            for sensor, device in (self.hub.accelerometer, self.accelerometer), (self.hub.gyroscope, self.gyroscope):
                self.expect_power_down(sensor, device)
            self.hub.accelerometer.hold(LANDSCAPE_LEFT)
        for sensor in ACCELEROMETER, GYROSCOPE:
            client.wait_for_samples(5, sensor, timeout=30)
            self.assertEqual(client.records.of(sensor).lasting_states[-2:], [SUSPENDED, ACTIVE])
        self.expect_axes(client.records.of(ACCELEROMETER).samples[-1:], ACCELEROMETER, forces(LANDSCAPE_LEFT))
