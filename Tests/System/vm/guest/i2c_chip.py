# SPDX-License-Identifier: Apache-2.0
"""A Kionix KXCJK-1013 accelerometer on a simulated I2C bus: the test that turns the tablet writes its registers, and its driver
(kxcjk-1013) reads them."""
import time

from i2c_stub import StubChip
from poses import FACE_UP, read_by_chip

ACCELERATION = 0x06                 # three words, 12 bits each, left-aligned
CONTROL_1 = 0x1B
OPERATING = 0x80                    # bit of CONTROL_1: cleared in standby
COUNTS_PER_G = 512                  # in the range of +-4 g, which the driver sets
UNUSED_BITS = 4


class I2CChip(StubChip):
    iio_name = "kxcjk1013"
    model = "kxcjk1013"
    driver = "kxcjk1013"
    address = 0x0F

    def __init__(self, read=read_by_chip):
        """`read` gives what it reads in a pose, in g: how it is mounted."""
        super().__init__()
        self._read = read

    def write_registers(self, bus):
        self._write(bus, FACE_UP)

    def hold(self, pose):
        """Turn the tablet. Returns when that was, in seconds on the boot-time clock."""
        with self._bus() as bus:
            self._write(bus, pose)
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    @property
    def powered(self):
        with self._bus() as bus:
            return bool(bus.read_byte(CONTROL_1) & OPERATING)

    def _write(self, bus, pose):
        for index, axis in enumerate(self._read(pose)):
            bus.write_word(ACCELERATION + 2 * index, round(axis * COUNTS_PER_G) << UNUSED_BITS)
