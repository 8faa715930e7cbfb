# SPDX-License-Identifier: Apache-2.0
"""Debian's iio-sensor-proxy, which serves the tablets of today.

The image keeps its udev rule from starting it with every accelerometer: it would take the buffer.
"""
from bus import RemoteObject
from systemd_service import SystemdService

CLAIM = "ClaimAccelerometer"


def sensor_proxy_service():
    return SystemdService("iio-sensor-proxy")


def sensor_proxy_interface():
    return RemoteObject("net.hadess.SensorProxy", "/net/hadess/SensorProxy", "net.hadess.SensorProxy")


def is_called(pose):
    """Whether a signal is the announcement of this pose."""
    return lambda signal: (signal.member == "PropertiesChanged" and
                           signal.changed_properties().get("AccelerometerOrientation") == pose.proxy_word)
