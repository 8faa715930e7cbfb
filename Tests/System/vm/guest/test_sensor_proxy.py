# SPDX-License-Identifier: Apache-2.0
"""The installed daemon as a replacement for iio-sensor-proxy, seen by programs that use only its interface: an unchanged
monitor-sensor, and busctl."""
import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from incumbent import MonitorSensor
from poses import FACE_DOWN, FACE_UP, LANDSCAPE_RIGHT, LEANING_BACK, LEANING_FORWARD, ONE_TURN, PORTRAIT
from sensor_proxy_case import CLAIM, SensorProxyCase

TILTS = ((FACE_UP, "face-up"), (LEANING_BACK, "tilted-up"), (PORTRAIT, "vertical"),
         (LEANING_FORWARD, "tilted-down"), (FACE_DOWN, "face-down"))


class DesktopsThatKnowIioSensorProxy(SensorProxyCase):
    def check_words(self, sensor):
        self.plug(sensor)
        iio_device.wait_for(sensor.iio_name)
        sensor.hold(LANDSCAPE_RIGHT)
        claimant = self.new_client()    # the tilt is for who has claimed alone, and monitor-sensor says nothing of it
        with MonitorSensor() as monitor:
            self.expect("HasAccelerometer", True)    # starts the daemon, which on a busy machine answers before it has seen the hub
            monitor.wait_for("=== Has accelerometer")
            self.expect("AccelerometerOrientation", "left-up")
            for pose in ONE_TURN:
                with self.subTest(pose=pose.name):
                    position = monitor.position
                    sensor.hold(pose)
                    monitor.wait_for_pose(pose, position)
                    self.assertEqual(self.proxy.property("AccelerometerOrientation"), pose.proxy_word)
            claimant.call(CLAIM)
            for pose, word in TILTS:
                with self.subTest(tilt=pose.name):
                    sensor.hold(pose)
                    self.expect("AccelerometerTilt", word, claimant)
        self.assertEqual(self.incumbent.process, 0)

    def test_are_told_the_right_words_with_a_hid_hub(self):
        self.check_words(HidSensorHub())

    def test_are_told_the_right_words_with_a_chip_on_i2c(self):
        self.check_words(I2CChip())
