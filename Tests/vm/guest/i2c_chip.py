# SPDX-License-Identifier: Apache-2.0
"""A Kionix KXCJK-1013 accelerometer on a simulated I2C bus (kernel module i2c-stub).

Only its registers exist: whoever holds the tablet writes them, its driver (kxcjk-1013) reads them.
There is no interrupt line, so the IIO device has no trigger and has to be polled.
"""
import ctypes
import fcntl
import os
import subprocess
import time
from pathlib import Path

import iio_device
from poses import FACE_UP, read_by_chip
from waiting import wait_until

ADDRESS = 0x0F
ACCELERATION = 0x06                 # three words, 12 bits each, left-aligned
CONTROL_1 = 0x1B
OPERATING = 0x80                    # bit of CONTROL_1: cleared in standby
COUNTS_PER_G = 512                  # in the range of +-4 g, which the driver sets
UNUSED_BITS = 4
DRIVER = Path("/sys/bus/i2c/drivers/kxcjk1013")


class I2CChip:
    iio_name = "kxcjk1013"

    def __init__(self):
        self._adapter = None

    def plug(self):
        subprocess.run(["modprobe", "i2c-dev"], check=True)     # for whoever holds the tablet
        subprocess.run(["modprobe", "i2c-stub", f"chip_addr={ADDRESS:#x}"], check=True)
        self._adapter = wait_until(_stub_adapter, what="simulated I2C bus")
        wait_until(Path(f"/dev/{self._adapter.name}").exists, what="its device node")
        self.hold(FACE_UP)
        (self._adapter / "new_device").write_text(f"kxcjk1013 {ADDRESS:#x}")

    def unplug(self):
        adapter, self._adapter = self._adapter, None
        if adapter is None:
            return
        (adapter / "delete_device").write_text(f"{ADDRESS:#x}")
        iio_device.wait_for_none(self.iio_name)
        subprocess.run(["modprobe", "--remove", "i2c-stub"], check=True)

    def unbind(self):
        """Take the driver from the chip: the IIO device goes."""
        (DRIVER / "unbind").write_text(self._driver_name)

    def bind(self):
        """Give it back."""
        (DRIVER / "bind").write_text(self._driver_name)

    @property
    def _driver_name(self):
        return f"{self._adapter.name.removeprefix('i2c-')}-{ADDRESS:04x}"

    def hold(self, pose):
        """Turn the tablet. Returns when that was, in seconds on the boot-time clock."""
        with self._bus() as bus:
            for index, axis in enumerate(read_by_chip(pose)):
                bus.write_word(ACCELERATION + 2 * index, round(axis * COUNTS_PER_G) << UNUSED_BITS)
        return time.clock_gettime(time.CLOCK_BOOTTIME)

    @property
    def powered(self):
        with self._bus() as bus:
            return bool(bus.read_byte(CONTROL_1) & OPERATING)

    def _bus(self):
        return Bus(f"/dev/{self._adapter.name}", ADDRESS)


class _Transfer(ctypes.Structure):
    """The kernel's struct i2c_smbus_ioctl_data."""
    _fields_ = [("read", ctypes.c_uint8), ("command", ctypes.c_uint8), ("size", ctypes.c_uint32),
                ("data", ctypes.POINTER(ctypes.c_uint16))]


class Bus:
    """A chip's registers through /dev/i2c-N (linux/i2c-dev.h), although a driver owns the chip."""
    SLAVE_FORCE, SMBUS = 0x0706, 0x0720
    BYTE, WORD = 2, 3

    def __init__(self, path, address):
        self._path, self._address = path, address

    def __enter__(self):
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self._file, self.SLAVE_FORCE, self._address)
        return self

    def __exit__(self, *_):
        os.close(self._file)

    def read_byte(self, register):
        return self._transfer(1, register, self.BYTE, 0) & 0xFF

    def write_word(self, register, value):
        self._transfer(0, register, self.WORD, value & 0xFFFF)

    def _transfer(self, read, register, size, value):
        data = ctypes.c_uint16(value)
        fcntl.ioctl(self._file, self.SMBUS, _Transfer(read, register, size, ctypes.pointer(data)))
        return data.value


def _stub_adapter():
    for adapter in Path("/sys/bus/i2c/devices").glob("i2c-*"):
        name = adapter / "name"
        if name.exists() and name.read_text().startswith("SMBus stub"):
            return adapter
    return None
