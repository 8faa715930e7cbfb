# SPDX-License-Identifier: Apache-2.0
"""A Bosch BMC150 accelerometer with its interrupt line connected. Its driver is bmc150-accel."""
from motion_chip import MotionChip
from poses import FACE_UP, read_by_chip

IDENTITY, MODEL = 0x00, 0xFA
ACCELERATION = 0x02                 # three words of bytes, 12 bits each, left-aligned
UNUSED_BITS = 4
MOVED_AXES, DOWNWARDS = 0x0B, 0x08  # INT_STATUS_2: bits 0 to 2 for x, y, z
RANGE = 0x0F
G_OF_RANGE = {0x03: 2, 0x05: 4, 0x08: 8, 0x0C: 16}
BANDWIDTH, SLOWEST = 0x10, 0x08     # 7.81 Hz, doubled with each step
POWER, SUSPENDED = 0x11, 0xE0
WANTS_MOTION, MOTION_TO_LINE = (0x16, 0x07), (0x19, 0x04)       # registers and their bits
WANTS_SAMPLES, SAMPLES_TO_LINE = (0x17, 0x10), (0x1A, 0x01)
THRESHOLD = 0x28


class BoschMotionChip(MotionChip):
    iio_name = "bmc150_accel"
    model = "bmc150_accel"
    driver = "bmc150_accel_i2c"
    address = 0x10

    def __init__(self, read=read_by_chip):
        """`read` gives what it reads in a pose, in g: how it is mounted."""
        super().__init__()
        self._read = read

    def write_registers(self, bus):
        bus.write_byte(IDENTITY, MODEL)
        self._write(bus, FACE_UP)

    def hold(self, pose):
        with self._bus() as bus:
            self._write(bus, pose)

    @property
    def powered(self):
        with self._bus() as bus:
            return not bus.read_byte(POWER) & SUSPENDED

    def motion_threshold(self, bus):
        if not self._are_on(bus, WANTS_MOTION, MOTION_TO_LINE):
            return None
        return bus.read_byte(THRESHOLD) * self._g_of_range(bus) / 512

    def data_ready_interval(self, bus):
        if not self._are_on(bus, WANTS_SAMPLES, SAMPLES_TO_LINE):
            return 0
        return 1 / (2 * 7.8125 * 2 ** (bus.read_byte(BANDWIDTH) - SLOWEST))

    def write_reason(self, bus, axes):
        downwards = bool(axes) and axes[0][1] < 0
        bus.write_byte(MOVED_AXES, sum(1 << index for index, _ in axes) | (DOWNWARDS if downwards else 0))

    def _write(self, bus, pose):
        reading = self._read(pose)
        counts_per_g = 2048 / self._g_of_range(bus)
        for index, axis in enumerate(reading):
            low, high = (round(axis * counts_per_g) << UNUSED_BITS).to_bytes(2, "little", signed=True)
            bus.write_byte(ACCELERATION + 2 * index, low)
            bus.write_byte(ACCELERATION + 2 * index + 1, high)
        self.moved_to(bus, reading)

    @staticmethod
    def _g_of_range(bus):
        return G_OF_RANGE.get(bus.read_byte(RANGE), 4)      # the driver sets 4 g

    @staticmethod
    def _are_on(bus, *bits):
        return not bus.read_byte(POWER) & SUSPENDED and all(bus.read_byte(register) & bit for register, bit in bits)
