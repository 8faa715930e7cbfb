# SPDX-License-Identifier: Apache-2.0
"""A touchscreen and a pen on the glass of the panel, made up by umockdev, for the libinput of a compositor in a tree.

They are those of the virtual machine's tests, which are made up by uinput; not every machine's kernel has that.
"""
import os
import shutil
import struct
import sysconfig
import time
from pathlib import Path

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

import uinput_pointer  # noqa: E402
from uinput_device import BUS_VIRTUAL, EV_KEY, EV_SYN, INPUT_EVENT  # noqa: E402
from uinput_pointer import ABS_PRESSURE, ABS_X, ABS_Y, BTN_TOOL_PEN, BTN_TOUCH, EV_ABS, LAST  # noqa: E402

# How many bytes libevdev asks for: umockdev has to have exactly as many.
LONG, KEYS, EFFECTS, TEXT = 8, 96, 16, 255
EV_FF = 0x15
OTHER_KINDS = {0x02: LONG, 0x04: LONG, 0x05: LONG, 0x11: LONG, 0x12: LONG, EV_FF: EFFECTS}
DEVICE = """P: /devices/platform/glass/of-{node}
E: SUBSYSTEM=input
E: NAME="{name}"
A: name={name}

P: /devices/platform/glass/of-{node}/{node}
N: input/{node}
E: DEVNAME=/dev/input/{node}
E: SUBSYSTEM=input
E: ID_INPUT=1
E: {tag}=1
A: dev=0:0
L: device=../../of-{node}

"""


class MadeUp:
    """What umockdev needs of a device that is to be made up."""

    def add(self, kernel, number):
        """Add it to what umockdev makes up."""
        self.node = f"event{number}"
        kernel.add_from_string(DEVICE.format(node=self.node, name=self.name, tag=self.TAG))
        answers = Path(kernel.get_root_dir(), f"{self.node}.ioctl")
        answers.write_text(f"@DEV /dev/input/{self.node}\n" + "".join(
            f"{request} {result} {data.hex().upper()}\n" for request, result, data in self.answers()))
        kernel.load_ioctl(f"/dev/input/{self.node}", str(answers))
        self._file = kernel.get_dev_fd(f"/dev/input/{self.node}")

    def answers(self):
        """What the driver answers to libevdev: the request, the result, and the bytes."""
        yield "EVIOCGVERSION", 0, struct.pack("=i", 0x010001)
        yield "EVIOCGID", 0, struct.pack("=4H", BUS_VIRTUAL, 0x1234, 0x5678, 1)
        yield "EVIOCGNAME(0)", len(self.name) + 1, self.name.encode().ljust(TEXT, b"\0")
        for request in "EVIOCGPHYS(0)", "EVIOCGUNIQ(0)":
            yield request, 1, bytes(TEXT)
        yield "EVIOCGPROP(0)", LONG, bits(LONG, self._place)
        kinds = {EV_SYN: bits(LONG, EV_SYN, EV_KEY, EV_ABS), EV_KEY: bits(KEYS, *self._keys), EV_ABS: bits(LONG, *self._axes)}
        for kind, codes in (kinds | {kind: bytes(size) for kind, size in OTHER_KINDS.items()}).items():
            yield f"EVIOCGBIT({kind})", len(codes), codes
        for state, size in ("KEY", KEYS), ("LED", LONG), ("SW", LONG):
            yield f"EVIOCG{state}(0)", size, bytes(size)
        for axis, last in self._axes.items():
            resolution = uinput_pointer.RESOLUTION if last == LAST and axis != ABS_PRESSURE else 0
            yield f"EVIOCGABS({axis})" if axis else "EVIOCGABS", 0, struct.pack("=6i", 0, 0, last, 0, 0, resolution)

    def send(self, *events):
        """Send events of (type, code, value), as one report; no kernel adds the time."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        os.write(self._file, b"".join(
            INPUT_EVENT.pack(*divmod(now, 1_000_000), *event) for event in (*events, (EV_SYN, 0, 0))))


class Touchscreen(MadeUp, uinput_pointer.Touchscreen):
    TAG = "ID_INPUT_TOUCHSCREEN"


class Pen(MadeUp, uinput_pointer.Pen):
    TAG = "ID_INPUT_TABLET"

    def touch(self, x, y):
        self.send((EV_KEY, BTN_TOOL_PEN, 1), (EV_ABS, ABS_X, round(x * LAST)), (EV_ABS, ABS_Y, round(y * LAST)))
        time.sleep(0.02)
        self.send((EV_KEY, BTN_TOUCH, 1), (EV_ABS, ABS_PRESSURE, LAST // 2))
        time.sleep(0.02)
        self.send((EV_KEY, BTN_TOUCH, 0), (EV_ABS, ABS_PRESSURE, 0))
        self.send((EV_KEY, BTN_TOOL_PEN, 0))


class Glass:
    """Both, for a compositor that runs in a tree as another user."""

    def __init__(self, runtime, inside):
        """`runtime` is a folder of that user; `inside` is its path in the tree."""
        self._kernel = UMockdev.Testbed.new()
        self.pointers = {"finger": Touchscreen(), "pen": Pen()}
        root = Path(self._kernel.get_root_dir())
        self.mounts = {}            # what the compositor has to see, and where
        udev = runtime / "udev/data"
        udev.mkdir(parents=True)
        for number, pointer in enumerate(self.pointers.values()):
            pointer.add(self._kernel, number)
            self._replace_node(root, pointer.node, udev)
            os.chmod(root / "ioctl/dev/input" / pointer.node, 0o777)
        os.chmod(root, 0o777)
        self.mounts |= {root: runtime / "kernel", udev.parent: runtime.parent / "udev"}
        self.mounts[root].mkdir()
        self.mounts[udev.parent].mkdir(exist_ok=True)
        preload = Path("/usr/lib", sysconfig.get_config_var("MULTIARCH"), "libumockdev-preload.so.0")
        shutil.copy(preload, root)
        self.environment = {"LIBSEAT_BACKEND": "noop", "UMOCKDEV_DIR": f"{inside}/kernel",
                            "LD_PRELOAD": f"{inside}/kernel/{preload.name}"}

    def _replace_node(self, root, node, udev):
        """Have the node be no link, as libseat follows none, and its number be what libinput sees of the open file."""
        file = root / "dev/input" / node
        terminal = file.readlink()
        os.chmod(terminal, 0o666)
        file.unlink()
        file.touch()
        self.mounts[terminal] = file
        number = terminal.stat().st_rdev
        major, minor = os.major(number), os.minor(number)
        device = f"/sys/devices/platform/glass/of-{node}/{node}"
        self._kernel.set_attribute(device, "dev", f"{major}:{minor}")
        self._kernel.set_property(device, "MAJOR", str(major))
        self._kernel.set_property(device, "MINOR", str(minor))
        numbers = root / "sys/dev/char"
        numbers.mkdir(parents=True, exist_ok=True)
        (numbers / f"{major}:{minor}").symlink_to(f"../..{device.removeprefix('/sys')}")
        # That udev has seen the device.
        (udev / f"c{major}:{minor}").write_text("I:1\n")


def bits(size, *numbers):
    """A field of bits."""
    return sum(1 << number for number in numbers).to_bytes(size, "little")
