# SPDX-License-Identifier: Apache-2.0
"""A chip on a simulated I2C bus (kernel module i2c-stub).

Only its registers exist: a test writes them, the chip's driver reads them. There is no interrupt line, so the IIO device has
no trigger and must be polled. (motion_chip.py has chips with an interrupt line.)
"""
import ctypes
import fcntl
import os
import subprocess
from pathlib import Path

import iio_device
from waiting import wait_until


class StubChip:
    iio_name = None                 # what its driver calls the IIO device
    model = None                    # what the driver knows the chip by
    driver = None
    address = None

    def __init__(self):
        self._adapter = None

    def write_registers(self, bus):
        """What the driver finds there when it is given the chip."""

    def plug(self):
        subprocess.run(["modprobe", "i2c-dev"], check=True)     # for whoever writes the registers
        subprocess.run(["modprobe", "i2c-stub", f"chip_addr={self.address:#x}"], check=True)
        self._adapter = wait_until(_stub_adapter, what="simulated I2C bus")
        wait_until(Path(f"/dev/{self._adapter.name}").exists, what="its device node")
        with self._bus() as bus:
            self.write_registers(bus)
        self.connect()

    def unplug(self):
        if self._adapter is None:
            return
        self.disconnect()
        self._adapter = None
        iio_device.wait_for_none(self.iio_name)
        subprocess.run(["modprobe", "--remove", "i2c-stub"], check=True)

    def connect(self):
        """Tell the kernel that the chip is there."""
        (self._adapter / "new_device").write_text(f"{self.model} {self.address:#x}")

    def disconnect(self):
        (self._adapter / "delete_device").write_text(f"{self.address:#x}")

    def unbind(self):
        """Take the driver from the chip: the IIO device goes."""
        (self._driver_folder / "unbind").write_text(self._driver_name)

    def bind(self):
        """Give it back."""
        (self._driver_folder / "bind").write_text(self._driver_name)

    @property
    def _driver_folder(self):
        return Path("/sys/bus/i2c/drivers", self.driver)

    @property
    def _driver_name(self):
        return f"{self._adapter.name.removeprefix('i2c-')}-{self.address:04x}"

    def _bus(self):
        return Bus(f"/dev/{self._adapter.name}", self.address)


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

    def read_word(self, register):
        return self._transfer(1, register, self.WORD, 0)

    def write_byte(self, register, value):
        self._transfer(0, register, self.BYTE, value & 0xFF)

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
