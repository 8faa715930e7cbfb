# SPDX-License-Identifier: Apache-2.0
"""An input device implemented in user space: the protocol of /dev/uinput (linux/uinput.h).

It has switches and keys, and sends the events that the test sets; use `plug` and `unplug`.
"""
import fcntl
import os
import struct
import subprocess
from pathlib import Path

from waiting import wait_until

EV_SYN, EV_KEY, EV_SW = 0, 1, 5
SYN_REPORT = 0
SW_LID, SW_TABLET_MODE, SW_HEADPHONE_INSERT, SW_ROTATE_LOCK = 0x00, 0x01, 0x02, 0x0C
KEY_A, KEY_MICMUTE, KEY_ROTATE_LOCK_TOGGLE = 30, 0xF8, 0x231
RELEASED, PRESSED, REPEATED = 0, 1, 2
BUS_VIRTUAL = 0x06
MAX_NAME_SIZE = 80

INPUT_EVENT = struct.Struct("@llHHi")
UINPUT_SETUP = struct.Struct(f"@HHHH{MAX_NAME_SIZE}sI")


def _request(direction, number, size):
    """The macro _IOC of asm-generic/ioctl.h, of uinput's ioctls."""
    return direction << 30 | size << 16 | ord("U") << 8 | number


_NONE, _WRITE, _READ = 0, 1, 2
UI_DEV_CREATE = _request(_NONE, 1, 0)
UI_DEV_DESTROY = _request(_NONE, 2, 0)
UI_DEV_SETUP = _request(_WRITE, 3, UINPUT_SETUP.size)
UI_SET_EVBIT = _request(_WRITE, 100, 4)
UI_SET_KEYBIT = _request(_WRITE, 101, 4)
UI_SET_SWBIT = _request(_WRITE, 109, 4)
SYSNAME_SIZE = 64
UI_GET_SYSNAME = _request(_READ, 44, SYSNAME_SIZE)


class UinputDevice:
    def __init__(self, switches=(), keys=(), name="made-up switches"):
        self.name = name
        self._switches = tuple(switches)
        self._keys = tuple(keys)
        self._file = None
        self.node = None            # such as Path("/dev/input/event3"), while plugged in

    def plug(self, on=()):
        """Create the device and wait for its node. Switches in `on` are moved at once, as drivers do."""
        subprocess.run(["modprobe", "uinput"], check=True)
        self._file = os.open("/dev/uinput", os.O_WRONLY | os.O_CLOEXEC)
        for kind, codes, set_bit in ((EV_SW, self._switches, UI_SET_SWBIT), (EV_KEY, self._keys, UI_SET_KEYBIT)):
            if codes:
                fcntl.ioctl(self._file, UI_SET_EVBIT, kind)
            for code in codes:
                fcntl.ioctl(self._file, set_bit, code)
        self._prepare()
        fcntl.ioctl(self._file, UI_DEV_SETUP, UINPUT_SETUP.pack(BUS_VIRTUAL, 0x1234, 0x5678, 1, self.name.encode(), 0))
        fcntl.ioctl(self._file, UI_DEV_CREATE)
        for switch in on:
            self.move(switch, 1)
        self.node = Path("/dev/input", wait_until(self._event_device, what="event device of uinput").name)
        wait_until(self.node.exists, what=f"{self.node}")

    def _prepare(self):
        """What a kind of device has besides switches and keys."""

    def unplug(self):
        file, self._file = self._file, None
        if file is not None:
            fcntl.ioctl(file, UI_DEV_DESTROY)
            os.close(file)
            self.node = None

    def move(self, switch, position):
        self.send((EV_SW, switch, position))

    def press(self, key):
        """Press it, hold it until it repeats, release it."""
        for value in (PRESSED, REPEATED, REPEATED, RELEASED):
            self.send((EV_KEY, key, value))

    def send(self, *events):
        """Events of (type, code, value), as one report."""
        report = [INPUT_EVENT.pack(0, 0, *event) for event in (*events, (EV_SYN, SYN_REPORT, 0))]
        os.write(self._file, b"".join(report))

    def _event_device(self):
        name = fcntl.ioctl(self._file, UI_GET_SYSNAME, bytes(SYSNAME_SIZE)).split(b"\0")[0].decode()
        return next(Path("/sys/devices/virtual/input", name).glob("event*"), None)
