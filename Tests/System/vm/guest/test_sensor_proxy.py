# SPDX-License-Identifier: Apache-2.0
"""The installed daemon as a replacement for iio-sensor-proxy, seen by programs that use only its interface: an unchanged
monitor-sensor, and busctl."""
import iio_device
from bus import CallFailed, RemoteObject, SignalMonitor
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from incumbent import MonitorSensor
from poses import FACE_DOWN, FACE_UP, LANDSCAPE_RIGHT, LEANING_BACK, LEANING_FORWARD, ONE_TURN, PORTRAIT
from sensor_proxy_case import CLAIM, SensorProxyCase
from systemd_service import systemctl
from waiting import wait_until

BUS = RemoteObject("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
TILTS = ((FACE_UP, "face-up"), (LEANING_BACK, "tilted-up"), (PORTRAIT, "vertical"),
         (LEANING_FORWARD, "tilted-down"), (FACE_DOWN, "face-down"))


def process_that_has(name):
    """None where systemd keeps it for the next process, and the one that made the connection has ended."""
    try:
        return BUS.call("GetConnectionUnixProcessID", "s", name)[0]
    except CallFailed:
        return None


class DesktopsThatKnowIioSensorProxy(SensorProxyCase):
    def check_words(self, sensor):
        self.plug(sensor)
        iio_device.wait_for(sensor.iio_name)
        sensor.hold(LANDSCAPE_RIGHT)
        claimant = self.new_client()    # the tilt is for who has claimed alone, and monitor-sensor says nothing of it
        # Starts the daemon, which on a busy machine answers before it has seen the hub; monitor-sensor of 3.7 says it only once.
        self.expect("HasAccelerometer", True)
        with MonitorSensor() as monitor:
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

    def test_do_not_see_the_name_go_when_the_service_restarts(self):
        """Qt's sensors would not come back, nor Plasma's rotation."""
        chip = I2CChip()
        self.plug(chip)
        iio_device.wait_for(chip.iio_name)
        chip.hold(PORTRAIT)
        claimant = self.new_client()
        claimant.call(CLAIM)
        self.expect("AccelerometerOrientation", PORTRAIT.proxy_word, claimant)
        with SignalMonitor("org.freedesktop.DBus") as bus:
            for pose in LANDSCAPE_RIGHT, PORTRAIT:
                systemctl("restart", self.ours.unit)
                # Until then, calls are answered with an error.
                wait_until(lambda: process_that_has(self.proxy.service) == self.ours.process, what="the name")
                chip.hold(pose)
                self.expect("AccelerometerOrientation", pose.proxy_word, claimant)
                self.expect("AccelerometerTilt", "vertical", claimant)
            owners = [signal.arguments[1:] for signal in bus.since(0, "NameOwnerChanged")
                      if signal.arguments[0] == self.proxy.service]
        # From the process to what systemd keeps, and to the next process.
        self.assertEqual(len(owners), 4)
        for before, now in owners:
            self.assertNotIn("", (before, now))
        self.ours.stop()
        self.incumbent.start()
        self.assertEqual(self.ours.process, 0)
        self.expect("HasAccelerometer", True)
