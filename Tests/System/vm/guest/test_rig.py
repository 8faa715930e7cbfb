# SPDX-License-Identifier: Apache-2.0
"""The simulated hardware with the kernel's drivers, without the daemon: what the other tests rely on."""
import time
import unittest

import iio_device
from hid_motion_hub import HidMotionHub
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from i2c_inertial_chip import InertialChip
from poses import ALL_SIX, PORTRAIT, read_by_chip, read_by_hid_hub
from waiting import wait_until

STANDARD_GRAVITY = 9.80665


class SensorsReachTheKernel(unittest.TestCase):
    def check_polled_reads(self, sensor, expected_reading):
        sensor.plug()
        self.addCleanup(sensor.unplug)
        device = iio_device.wait_for(sensor.iio_name)
        for pose in ALL_SIX:
            sensor.hold(pose)
            for measured, ideal in zip(device.acceleration, expected_reading(pose)):
                self.assertAlmostEqual(measured, ideal * STANDARD_GRAVITY, delta=0.05, msg=pose.name)

    def test_hub_with_16_bit_axes(self):
        self.check_polled_reads(HidSensorHub(axis_bits=16), read_by_hid_hub)

    def test_hub_with_32_bit_axes(self):
        self.check_polled_reads(HidSensorHub(axis_bits=32), read_by_hid_hub)

    def test_i2c_chip(self):
        self.check_polled_reads(I2CChip(), read_by_chip)


class GyroscopesReachTheKernel(unittest.TestCase):
    RATES = ((0.5, -1, 2), (-2, 0.25, 0))

    def plug(self, sensor, *names):
        sensor.plug()
        self.addCleanup(sensor.unplug)
        return [iio_device.wait_for(name) for name in names]

    def check(self, device, turn, expected_reading):
        for rates in self.RATES:
            turn(*rates)
            for measured, ideal in zip(device.angular_velocity, expected_reading(rates)):
                self.assertAlmostEqual(measured, ideal, delta=0.003)

    def test_of_a_hub_beside_the_accelerometer(self):
        hub = HidMotionHub()
        accelerometer, gyroscope = self.plug(hub, "accel_3d", "gyro_3d")
        self.check(gyroscope, hub.gyroscope.turn, lambda rates: rates)
        hub.accelerometer.hold(PORTRAIT)
        for measured, ideal in zip(accelerometer.acceleration, read_by_hid_hub(PORTRAIT)):
            self.assertAlmostEqual(measured, ideal * STANDARD_GRAVITY, delta=0.05)

    def test_of_a_chip_that_is_also_an_accelerometer(self):
        chip = InertialChip()
        device, = self.plug(chip, chip.iio_name)
        self.check(device, chip.turn, lambda rates: (-rates[0], -rates[1], rates[2]))
        chip.hold(PORTRAIT)
        for measured, ideal in zip(device.acceleration, read_by_chip(PORTRAIT)):
            self.assertAlmostEqual(measured, ideal * STANDARD_GRAVITY, delta=0.05)


class HubTellsItsPowerState(unittest.TestCase):
    def setUp(self):
        self.hub = HidSensorHub()
        self.hub.plug()
        self.addCleanup(self.hub.unplug)
        self.device = iio_device.wait_for(self.hub.iio_name)

    def test_reports_only_while_the_buffer_runs(self):
        for axis in "xyz":
            self.device.write(f"scan_elements/in_accel_{axis}_en", 1)
        self.device.write("in_accel_sampling_frequency", 25)
        self.assertEqual(self.hub.report_interval, 40)
        self.device.write("buffer/enable", 1)
        wait_until(lambda: self.hub.reports_sent > 10, what="reports")
        self.device.write("buffer/enable", 0)
        wait_until(lambda: not self.hub.powered, 10, "power-down after the buffer")
        sent = self.hub.reports_sent
        time.sleep(0.5)
        self.assertEqual(self.hub.reports_sent, sent)

    def test_stays_unpowered_while_nobody_reads(self):
        wait_until(lambda: not self.hub.powered, 10, "power-down after probing")
        position = len(self.hub.log)
        self.device.read("in_accel_scale")
        time.sleep(1)
        self.assertEqual(self.hub.power_ups_since(position), [])
