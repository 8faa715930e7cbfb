# SPDX-License-Identifier: Apache-2.0
"""A Kionix KXCJK-1013 accelerometer on a simulated I2C bus (kernel module i2c-stub).

Only its registers exist: whoever holds the tablet writes them, its driver (kxcjk-1013) reads them.
There is no interrupt line, so the IIO device has no trigger and has to be polled.
"""
import subprocess
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
        subprocess.run(["modprobe", "i2c-dev"], check=True)     # for i2cset and i2cget
        subprocess.run(["modprobe", "i2c-stub", f"chip_addr={ADDRESS:#x}"], check=True)
        self._adapter = wait_until(_stub_adapter, what="simulated I2C bus")
        self.hold(FACE_UP)
        (self._adapter / "new_device").write_text(f"kxcjk1013 {ADDRESS:#x}")

    def unplug(self):
        (self._adapter / "delete_device").write_text(f"{ADDRESS:#x}")
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
        for index, axis in enumerate(read_by_chip(pose)):
            counts = round(axis * COUNTS_PER_G) << UNUSED_BITS
            self._i2c("i2cset", ACCELERATION + 2 * index, f"{counts & 0xFFFF:#x}", "w")

    @property
    def powered(self):
        return bool(int(self._i2c("i2cget", CONTROL_1, "b"), 16) & OPERATING)

    def _i2c(self, tool, register, *rest):
        bus = self._adapter.name.removeprefix("i2c-")
        # -f: although a driver owns the chip.
        command = [tool, "-f", "-y", bus, f"{ADDRESS:#x}", f"{register:#x}", *rest]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _stub_adapter():
    for adapter in Path("/sys/bus/i2c/devices").glob("i2c-*"):
        name = adapter / "name"
        if name.exists() and name.read_text().startswith("SMBus stub"):
            return adapter
    return None
