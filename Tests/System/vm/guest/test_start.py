# SPDX-License-Identifier: Apache-2.0
"""When the daemon is started: by the first call (test_service.py), and when udev finds an accelerometer."""
import subprocess
import time

import iio_device
import start_by_udev
from bus import CallFailed
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import OrientationdCase
from systemd_service import systemctl
from uinput_device import SW_TABLET_MODE, UinputDevice
from waiting import wait_until

LONG_ENOUGH_TO_START = 3


class StartByUdev(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.enterContext(start_by_udev.allowed())
        self.addCleanup(self.service.stop)

    def plug(self, device):
        device.plug()
        self.addCleanup(device.unplug)
        if hasattr(device, "iio_name"):
            iio_device.wait_for(device.iio_name)
        return device

    def state(self):
        return self.service.show("ActiveState")

    def test_starts_the_service_where_an_accelerometer_appears(self):
        for sensor in HidSensorHub(), I2CChip():
            with self.subTest(sensor=sensor.iio_name):
                self.assertEqual(self.state(), "inactive")
                self.plug(sensor)
                wait_until(lambda: self.state() == "active", 10, "start of the service")
                wait_until(lambda: self.device.property("HasAccelerometer"), 10, "the sensor")
                sensor.unplug()
                iio_device.wait_for_none(sensor.iio_name)
                self.assertEqual(self.state(), "active", "ended with its sensor")
                self.service.stop()

    def test_starts_it_where_the_accelerometer_was_there_before_the_rule(self):
        """As the installation of a package does it, which triggers udev."""
        chip = self.plug(I2CChip())
        wait_until(lambda: self.state() == "active", 10, "start of the service")
        start_by_udev.prevent()
        self.service.stop()
        subprocess.run(["udevadm", "control", "--reload"], check=True)
        subprocess.run(["udevadm", "trigger", "--settle", "--subsystem-match=iio"], check=True)
        start_by_udev.RULE.unlink()
        subprocess.run(["udevadm", "control", "--reload"], check=True)
        self.assertEqual(self.state(), "inactive")
        subprocess.run(["udevadm", "trigger", "--settle", "--subsystem-match=iio"], check=True)
        wait_until(lambda: self.state() == "active", 10, "start of the service")
        chip.unplug()

    def test_does_not_start_it_where_a_switch_appears(self):
        self.plug(UinputDevice([SW_TABLET_MODE]))
        time.sleep(LONG_ENOUGH_TO_START)
        self.assertEqual(self.state(), "inactive")

    def test_a_disabled_service_is_started_by_neither_udev_nor_a_call(self):
        self.assertEqual(systemctl("is-enabled", self.service.unit).strip(), "enabled")
        systemctl("disable", self.service.unit)
        self.addCleanup(systemctl, "enable", self.service.unit)
        self.plug(I2CChip())
        time.sleep(LONG_ENOUGH_TO_START)
        self.assertEqual(self.state(), "inactive")
        with self.assertRaises(CallFailed):
            self.device.property("Orientation")
        self.assertEqual(self.state(), "inactive")
