# SPDX-License-Identifier: Apache-2.0
"""HID sensor hubs with an ambient light sensor, and with a compass. Their kernel drivers are hid-sensor-als and
hid-sensor-magn-3d."""
from hid_report_descriptor import compass_reports, light_reports
from hid_sensor import HidSensor

FLUX = (100, 200, -400)             # milligauss, of no importance here


class HidLightSensor(HidSensor):
    iio_name = "als"

    def __init__(self, lux):
        super().__init__(light_reports(), (lux,))


class HidCompass(HidSensor):
    iio_name = "magn_3d"

    def __init__(self, degrees):
        super().__init__(compass_reports(), (degrees, *FLUX))

    def point(self, degrees):
        """Turn it: so far from magnetic north, clockwise."""
        return self.measure(degrees, *FLUX)
