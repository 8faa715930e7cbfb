# SPDX-License-Identifier: Apache-2.0
"""Debian's iio-sensor-proxy, which most tablets use today, and its program monitor-sensor, which shows what clients see.

A udev rule in the image prevents that every accelerometer starts it: it would take the buffer.
"""
import subprocess
import tempfile
import threading
from pathlib import Path

import packages
from bus import RemoteObject
from systemd_service import SystemdService
from waiting import BUSY

CLAIM = "ClaimAccelerometer"
NAME = "iio-sensor-proxy"
PACKAGE = Path("/opt/iio-sensor-proxy.deb")
BUFFER_LENGTH = "128"               # samples, of a buffer that it has set up


def sensor_proxy_service():
    return SystemdService(NAME)


def sensor_proxy_interface():
    return RemoteObject("net.hadess.SensorProxy", "/net/hadess/SensorProxy", "net.hadess.SensorProxy")


def is_called(pose):
    """Whether a signal is the announcement of this pose."""
    return lambda signal: (signal.member == "PropertiesChanged" and
                           signal.changed_properties().get("AccelerometerOrientation") == pose.proxy_word)


class MonitorSensor:
    """A run of monitor-sensor, which claims all sensors of whoever has the bus name, and again of who has it next."""

    def __enter__(self):
        # A copy: the package goes, with what is in it.
        self._folder = tempfile.TemporaryDirectory()
        subprocess.run(["dpkg-deb", "--extract", PACKAGE, self._folder.name], check=True, timeout=packages.TIMEOUT)
        self._process = subprocess.Popen([f"{self._folder.name}/usr/bin/monitor-sensor"], stdout=subprocess.PIPE, text=True)
        self._said = []
        self._arrived = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    @property
    def position(self):
        """Lines up to now, to wait only for those after."""
        return len(self._said)

    def wait_for(self, words, position=0, timeout=20):
        """Until it says a line with these words, from `position` on."""
        def has_come():
            return any(words in line for line in self._said[position:])
        with self._arrived:
            if not self._arrived.wait_for(has_come, BUSY * timeout):
                raise TimeoutError(f"monitor-sensor did not say {words!r} in {BUSY * timeout} s, but: {self._said[position:]}")

    def wait_for_pose(self, pose, position=0):
        self.wait_for(f"orientation changed: {pose.proxy_word}", position)

    def _read(self):
        for line in self._process.stdout:
            with self._arrived:
                self._said.append(line.strip())
                self._arrived.notify_all()
