# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with an accelerometer and a gyroscope, each an IIO device of its own, as tablets have it. The kernel drivers are
hid-sensor-accel-3d and hid-sensor-gyro-3d."""
import math

from hid_report_descriptor import FIRST_REPORT_ID, gyroscope_reports, hub_descriptor
from hid_sensor import HidSensor
from hid_sensor_hub import HidSensorHub
from poses import read_by_hid_hub, rates_read_beside
from user_hid_device import UserHidDevice


class HidGyroscope(HidSensor):
    iio_name = "gyro_3d"

    def __init__(self, read=read_by_hid_hub, report_id=FIRST_REPORT_ID):
        """`read`: what an accelerometer of the same hub reads in a pose, which says how both are mounted."""
        super().__init__(gyroscope_reports(report_id), (0, 0, 0))
        self._read_rates = rates_read_beside(read)

    def turn(self, *rates):
        """From now on, around the screen's axes: radians a second, counterclockwise as seen from the end of the axis. Returns when
        that was, in seconds on the boot-time clock."""
        return self.measure(*(math.degrees(rate) for rate in self._read_rates(rates)))


class HidMotionHub(UserHidDevice):
    def __init__(self, read=read_by_hid_hub):
        super().__init__()
        self.accelerometer = HidSensorHub(read=read)
        self.gyroscope = HidGyroscope(read, report_id=FIRST_REPORT_ID + 1)
        self._sensors = {each.reports.report_id: each for each in (self.accelerometer, self.gyroscope)}

    def plug(self):
        self.connect("VM Sensor Hub", hub_descriptor(*(each.reports for each in self._sensors.values())))
        for sensor in self._sensors.values():
            sensor.plug_into(self)

    def unplug(self):
        """Harmless when it is not plugged in."""
        self.disconnect()
        for sensor in self._sensors.values():
            sensor.unplug_from_hub()

    def get_report(self, kind, number):
        return self._sensors[number].get_report(kind, number)

    def set_report(self, kind, report):
        return self._sensors[report[0]].set_report(kind, report)
