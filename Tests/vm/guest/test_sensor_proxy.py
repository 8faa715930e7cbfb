# SPDX-License-Identifier: Apache-2.0
"""The installed daemon in iio-sensor-proxy's place, as programs that know only that see it: an unchanged monitor-sensor, and
busctl."""
import queue
import subprocess
import threading

import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from poses import FACE_DOWN, FACE_UP, LANDSCAPE_RIGHT, LEANING_BACK, LEANING_FORWARD, ONE_TURN, PORTRAIT
from sensor_proxy_case import SensorProxyCase

TILTS = ((FACE_UP, "face-up"), (LEANING_BACK, "tilted-up"), (PORTRAIT, "vertical"),
         (LEANING_FORWARD, "tilted-down"), (FACE_DOWN, "face-down"))


class MonitorSensor:
    """Debian's program of that name, which claims what there is and tells each change."""

    def __enter__(self):
        self._process = subprocess.Popen(["stdbuf", "-oL", "monitor-sensor"], stdout=subprocess.PIPE, text=True)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def wait_for(self, words, timeout=15):
        """The lines up to the first one with these words. Raises TimeoutError with what it said instead."""
        said = []
        try:
            while not said or words not in said[-1]:
                said.append(self._lines.get(timeout=timeout).strip())
        except queue.Empty:
            raise TimeoutError(f"no {words!r} but {said}") from None
        return said

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line)


class DesktopsThatKnowIioSensorProxy(SensorProxyCase):
    def check_words(self, sensor):
        self.plug(sensor)
        iio_device.wait_for(sensor.iio_name)
        sensor.hold(LANDSCAPE_RIGHT)
        with MonitorSensor() as monitor:
            self.assertTrue(self.proxy.property("HasAccelerometer"))    # starts the daemon
            monitor.wait_for("=== Has accelerometer")
            self.expect("AccelerometerOrientation", "left-up")
            for pose in ONE_TURN:
                with self.subTest(pose=pose.name):
                    sensor.hold(pose)
                    monitor.wait_for(f"orientation changed: {pose.proxy_word}")
                    self.assertEqual(self.proxy.property("AccelerometerOrientation"), pose.proxy_word)
            for pose, word in TILTS:
                with self.subTest(tilt=pose.name):
                    sensor.hold(pose)
                    self.expect("AccelerometerTilt", word)
        self.assertEqual(self.incumbent.process, 0)

    def test_are_told_the_right_words_with_a_hid_hub(self):
        self.check_words(HidSensorHub())

    def test_are_told_the_right_words_with_a_chip_on_i2c(self):
        self.check_words(I2CChip())
