# SPDX-License-Identifier: Apache-2.0
"""A Vishay VCNL4040 on a simulated I2C bus: the light and proximity sensor that phones have next to the earpiece. Its driver
is vcnl4000."""
import iio_device
from i2c_stub import StubChip

IDENTITY, MODEL_4040 = 0x0C, 0x0186
LIGHT_SETTINGS, PROXIMITY_SETTINGS = 0x00, 0x03
SHUT_DOWN = 1                       # bit of both
PROXIMITY, LIGHT = 0x08, 0x09
FAR = 64                            # counts that are not near, by the near levels of the tests


class I2CLightChip(StubChip):
    iio_name = "vcnl4000"
    model = "vcnl4040"
    driver = "vcnl4000"
    address = 0x60

    def write_registers(self, bus):
        bus.write_word(IDENTITY, MODEL_4040)
        bus.write_word(LIGHT_SETTINGS, SHUT_DOWN)
        bus.write_word(PROXIMITY_SETTINGS, SHUT_DOWN)

    def shine(self, lux):
        """The scale depends on the kernel: 0.12 lux per count in 6.1, 0.1 in 6.12."""
        scale = float(iio_device.wait_for(self.iio_name).read("in_illuminance_scale"))
        with self._bus() as bus:
            bus.write_word(LIGHT, round(lux / scale))

    def approach(self, counts):
        """The more counts, the nearer: as the driver reports them, which is 16 times less than in the chip from some kernel after 6.1 on."""
        device = iio_device.wait_for(self.iio_name)
        with self._bus() as bus:
            bus.write_word(PROXIMITY, FAR)
            bus.write_word(PROXIMITY, round(counts * FAR / float(device.read("in_proximity_raw"))))

    @property
    def powered(self):
        with self._bus() as bus:
            return not bus.read_word(LIGHT_SETTINGS) & SHUT_DOWN
