# SPDX-License-Identifier: Apache-2.0
"""A Vishay VCNL4040 on a simulated I2C bus: the light and proximity sensor that phones have next to the earpiece. Its driver
is vcnl4000."""
from i2c_stub import StubChip

IDENTITY, MODEL_4040 = 0x0C, 0x0186
LIGHT_SETTINGS, PROXIMITY_SETTINGS = 0x00, 0x03
SHUT_DOWN = 1                       # bit of both
PROXIMITY, LIGHT = 0x08, 0x09
LUX_PER_COUNT = 0.12                # in the integration time that the driver leaves, 80 ms


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
        with self._bus() as bus:
            bus.write_word(LIGHT, round(lux / LUX_PER_COUNT))

    def approach(self, counts):
        """The more counts, the nearer."""
        with self._bus() as bus:
            bus.write_word(PROXIMITY, counts)

    @property
    def powered(self):
        with self._bus() as bus:
            return not bus.read_word(LIGHT_SETTINGS) & SHUT_DOWN
