# SPDX-License-Identifier: Apache-2.0
"""What the kernel says about an IIO device, read from sysfs."""
from pathlib import Path

from waiting import wait_until

DEVICES = Path("/sys/bus/iio/devices")


def find(name):
    for device in sorted(DEVICES.glob("iio:device*")):
        try:
            if (device / "name").read_text().strip() == name:
                return IIODevice(device)
        except OSError:             # it went between the listing and the reading
            continue
    return None


def wait_for(name):
    return wait_until(lambda: find(name), 15, f"IIO device {name}")


def wait_for_none(name):
    wait_until(lambda: find(name) is None, 15, f"end of IIO device {name}")


class IIODevice:
    def __init__(self, path):
        self.path = path

    def read(self, attribute):
        return (self.path / attribute).read_text().strip()

    def write(self, attribute, value):
        (self.path / attribute).write_text(str(value))

    @property
    def buffer_enabled(self):
        return self.read("buffer/enable") == "1"

    @property
    def acceleration(self):
        """m/s^2 by three polled reads."""
        def axis(name):
            scale_file = "in_accel_scale" if (self.path / "in_accel_scale").exists() else f"in_accel_{name}_scale"
            return int(self.read(f"in_accel_{name}_raw")) * float(self.read(scale_file))
        return tuple(axis(name) for name in "xyz")
