# SPDX-License-Identifier: Apache-2.0
"""The Kionix KXCJK-1013 of i2c_chip.py with its interrupt line connected."""
from i2c_chip import ACCELERATION, CONTROL_1, OPERATING, I2CChip
from motion_chip import MotionChip

REASON, MOVED_AXES = 0x16, 0x17     # INT_SRC1, INT_SRC2
NEW_SAMPLE, MOVED = 0x10, 0x02      # bits of REASON
POSITIVE, NEGATIVE = (0x10, 0x04, 0x01), (0x20, 0x08, 0x02)     # bits of MOVED_AXES, for x, y, z
WANTS_SAMPLES, WANTS_MOTION = 0x20, 0x02        # bits of CONTROL_1
INTERRUPT_CONTROL, ENABLED = 0x1E, 0x20
RATE = 0x21
HERTZ = (12.5, 25, 50, 100, 200, 400, 800, 1600, 0.781, 1.563, 3.125, 6.25)
THRESHOLD, G_PER_COUNT = 0x6A, 1 / 16


class KionixMotionChip(MotionChip, I2CChip):
    def motion_threshold(self, bus):
        return bus.read_byte(THRESHOLD) * G_PER_COUNT if self._is_on(bus, WANTS_MOTION) else None

    def data_ready_interval(self, bus):
        return 1 / HERTZ[bus.read_byte(RATE) & 0x0F] if self._is_on(bus, WANTS_SAMPLES) else 0

    def write_reason(self, bus, axes):
        bus.write_byte(REASON, MOVED if axes else NEW_SAMPLE)
        bus.write_byte(MOVED_AXES, sum((POSITIVE if sign > 0 else NEGATIVE)[index] for index, sign in axes))

    def _write(self, bus, pose):
        super()._write(bus, pose)
        # For the buffer, the driver reads all axes as bytes.
        for register in range(ACCELERATION, ACCELERATION + 6, 2):
            bus.write_byte(register + 1, bus.read_word(register) >> 8)
        self.moved_to(bus, self._read(pose))

    @staticmethod
    def _is_on(bus, wanted):
        control = bus.read_byte(CONTROL_1)
        return control & OPERATING and control & wanted and bus.read_byte(INTERRUPT_CONTROL) & ENABLED
