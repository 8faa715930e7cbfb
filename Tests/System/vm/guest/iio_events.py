# SPDX-License-Identifier: Apache-2.0
"""The events that an IIO device reports, as a program receives them."""
import ctypes
import fcntl
import os
import select
import struct
from dataclasses import dataclass

GET_EVENT_FD = 0x80046990           # IIO_GET_EVENT_FD_IOCTL
EVENT = struct.Struct("Qq")         # struct iio_event_data: what happened, and when


@dataclass(frozen=True)
class IIOEvent:
    """The numbers are those of linux/iio/types.h."""
    kind: int                       # THRESHOLD, ...
    direction: int
    axis: int                       # 1 to 3
    channel: int                    # ACCELERATION, ...
    time: int                       # ns


THRESHOLD, RATE_OF_CHANGE = 0, 2
RISING, FALLING = 1, 2
ACCELERATION = 3


class EventQueue:
    """A device has one at a time."""

    def __init__(self, device):
        node = os.open(f"/dev/{device.path.name}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            descriptor = ctypes.c_int()
            fcntl.ioctl(node, GET_EVENT_FD, descriptor)
        finally:
            os.close(node)
        self.descriptor = descriptor.value

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def wait(self, seconds):
        """The events that are there, or that come first; an empty list if none come in time."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return []
        return [_decode(*fields) for fields in EVENT.iter_unpack(os.read(self.descriptor, 64 * EVENT.size))]


def _decode(code, time):
    return IIOEvent(kind=code >> 56, direction=code >> 48 & 0x7F, axis=code >> 40 & 0xFF, channel=code >> 32 & 0xFF, time=time)
