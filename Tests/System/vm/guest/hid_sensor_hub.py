# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with one accelerometer. Its kernel driver is hid-sensor-accel-3d."""
from hid_report_descriptor import accelerometer_reports
from hid_sensor import Firmware, HidSensor
from poses import FACE_UP, read_by_hid_hub


class HidSensorHub(HidSensor):
    iio_name = "accel_3d"

    def __init__(self, axis_bits=16, read=read_by_hid_hub, firmware=Firmware(), noise=0):
        """`read` gives what it reads in a pose, in g: how it is mounted. Its noise is in g, too."""
        super().__init__(accelerometer_reports(axis_bits), read(FACE_UP), firmware, noise)
        self._read = read

    def hold(self, pose, over=0):
        """Turn the tablet, `over` so many seconds. Returns when that was, or began, in seconds on the boot-time clock."""
        return self.measure(*self._read(pose), over=over)


# What firmware there is, as the measurements have it.
STREAMS = Firmware(heeds_sensitivity=False)
REPORTS_CHANGES_ONLY = Firmware(heeds_sensitivity=False, reports_changes_only=True)
HEEDS_SENSITIVITY = Firmware()
REFUSES_SLOW_INTERVALS = Firmware(heeds_sensitivity=False, slowest_interval=100)
