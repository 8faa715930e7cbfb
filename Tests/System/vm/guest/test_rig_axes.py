# SPDX-License-Identifier: Apache-2.0
"""The simulated sensors are mounted like real ones: iio-sensor-proxy, for which the mount matrices of real
tablets were tuned, gives their upright poses the right names."""
import unittest

import iio_device
from bus import SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from incumbent import CLAIM, is_called, sensor_proxy_interface, sensor_proxy_service
from poses import LANDSCAPE_RIGHT, ONE_TURN


class AxesOfTheSensors(unittest.TestCase):
    def check_names_of_poses(self, sensor):
        sensor.plug()
        self.addCleanup(sensor.unplug)
        iio_device.wait_for(sensor.iio_name)
        sensor.hold(LANDSCAPE_RIGHT)
        remote = sensor_proxy_interface()
        service = sensor_proxy_service()
        service.start()
        self.addCleanup(service.stop)
        signals = self.enterContext(SignalMonitor(remote.service))
        self.enterContext(BusClient(remote)).call(CLAIM)
        for pose in ONE_TURN:
            position = signals.position
            sensor.hold(pose)
            self.assertIsNotNone(signals.wait_for(is_called(pose), position), pose.name)
            self.assertEqual(remote.property("AccelerometerOrientation"), pose.proxy_word)

    def test_hid_hub(self):
        self.check_names_of_poses(HidSensorHub())

    def test_i2c_chip(self):
        self.check_names_of_poses(I2CChip())
