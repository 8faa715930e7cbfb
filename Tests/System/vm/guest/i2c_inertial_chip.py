# SPDX-License-Identifier: Apache-2.0
"""A Bosch BMI160 on a simulated I2C bus: an accelerometer and a gyroscope that are one IIO device. Its driver is bmi160_i2c."""
import math

from i2c_stub import StubChip
from poses import FACE_UP, rates_read_beside, read_by_chip

IDENTITY, MODEL = 0x00, 0xD1
RATES, ACCELERATION = 0x0C, 0x12    # three words of bytes each
# What the real chip comes with: 100 Hz, 2 g, and 2000 degrees a second.
DEFAULTS = {0x40: 0x28, 0x41: 0x03, 0x42: 0x28, 0x43: 0x00}
COUNTS_PER_G = 16384
COUNTS_PER_DEGREE = 16.4


class InertialChip(StubChip):
    iio_name = "bmi160"
    model = "bmi160"
    driver = "bmi160_i2c"
    address = 0x69

    def write_registers(self, bus):
        bus.write_byte(IDENTITY, MODEL)
        for register, value in DEFAULTS.items():
            bus.write_byte(register, value)
        self._write(bus, ACCELERATION, (axis * COUNTS_PER_G for axis in read_by_chip(FACE_UP)))

    def hold(self, pose):
        with self._bus() as bus:
            self._write(bus, ACCELERATION, (axis * COUNTS_PER_G for axis in read_by_chip(pose)))

    def turn(self, *rates):
        """From now on, around the screen's axes: radians a second, counterclockwise as seen from the end of the axis."""
        with self._bus() as bus:
            reading = rates_read_beside(read_by_chip)(rates)
            self._write(bus, RATES, (math.degrees(rate) * COUNTS_PER_DEGREE for rate in reading))

    @staticmethod
    def _write(bus, register, counts):
        data = b"".join(max(-32768, min(round(count), 32767)).to_bytes(2, "little", signed=True) for count in counts)
        for offset, byte in enumerate(data):
            bus.write_byte(register + offset, byte)
