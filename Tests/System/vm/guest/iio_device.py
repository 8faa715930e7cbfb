# SPDX-License-Identifier: Apache-2.0
"""What the kernel says about an IIO device, read from sysfs."""
import errno
from pathlib import Path

from waiting import wait_until

DEVICES = Path("/sys/bus/iio/devices")
# A hub's gives EIO until its driver has switched the sensor off once.
AUTOSUSPEND = "../power/autosuspend_delay_ms"
# All that whoever has a buffer sets.
SETTINGS = ("buffer*/enable", "buffer*/length", "buffer*/watermark", "scan_elements/*_en", "trigger/current_trigger",
            "in_accel_sampling_frequency", "in_accel_hysteresis", "current_timestamp_clock", AUTOSUSPEND)


def find(name, within=""):
    """`within`: a part of its path in /sys/devices, where several have the name."""
    for device in sorted(DEVICES.glob("iio:device*")):
        try:
            if (device / "name").read_text().strip() == name and within in str(device.resolve()):
                return IIODevice(device)
        except OSError:             # it went between the listing and the reading
            continue
    return None


def wait_for(name, within=""):
    return wait_until(lambda: find(name, within), 15, f"IIO device {name}")


def wait_for_none(name, within=""):
    wait_until(lambda: find(name, within) is None, 15, f"end of IIO device {name}")


class IIODevice:
    def __init__(self, path):
        self.path = path

    def read(self, attribute):
        return (self.path / attribute).read_text().strip()

    def write(self, attribute, value):
        (self.path / attribute).write_text(str(value))

    @property
    def settings(self):
        """By their names; without AUTOSUSPEND as long as that cannot be read."""
        files = [file for pattern in SETTINGS for file in sorted(self.path.glob(pattern))]
        settings = {}
        for name in (str(file.relative_to(self.path)) for file in files):
            try:
                settings[name] = self.read(name)
            except OSError as error:
                if error.errno != errno.EIO or name != AUTOSUSPEND:
                    raise OSError(error.errno, error.strerror, name) from None
        return settings

    @property
    def buffer_enabled(self):
        return self.read("buffer/enable") == "1"

    @property
    def acceleration(self):
        """m/s^2 by three polled reads."""
        return self._axes("in_accel")

    @property
    def angular_velocity(self):
        """rad/s by three polled reads."""
        return self._axes("in_anglvel")

    def _axes(self, channel):
        def axis(name):
            scale_file = f"{channel}_scale" if (self.path / f"{channel}_scale").exists() else f"{channel}_{name}_scale"
            return int(self.read(f"{channel}_{name}_raw")) * float(self.read(scale_file))
        return tuple(axis(name) for name in "xyz")
