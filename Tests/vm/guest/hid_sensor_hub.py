# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with one accelerometer. Its driver in the kernel is hid-sensor-accel-3d."""
from hid_report_descriptor import accelerometer_reports
from hid_sensor import HidSensor
from poses import FACE_UP, read_by_hid_hub


class HidSensorHub(HidSensor):
    iio_name = "accel_3d"

    def __init__(self, axis_bits=16, read=read_by_hid_hub, sensitivity=0, heeds_sensitivity=True):
        """`read` gives what it reads in a pose, in g: how it is mounted. `sensitivity`: what its firmware comes with, in g."""
        super().__init__(accelerometer_reports(axis_bits), read(FACE_UP), sensitivity, heeds_sensitivity)
        self._read = read

    def hold(self, pose):
        """Turn the tablet. Returns when that was, in seconds on the boot-time clock."""
        return self.measure(*self._read(pose))
