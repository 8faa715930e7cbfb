# SPDX-License-Identifier: Apache-2.0
"""What is on the glass of a screen: the picture that the kernel's driver sends there, which is turned if the X server turns it."""
import ctypes
import fcntl
import mmap
import os
import struct

RESOURCES = struct.Struct("@4Q4I4I")
CONTROLLER = struct.Struct("@Q7IIHHHHHHHHHHIII32s")
BUFFER = struct.Struct("@7I")
MAPPING = struct.Struct("@IIQ")


def _request(number, size):
    """The macro DRM_IOWR of drm.h."""
    return 3 << 30 | size << 16 | ord("d") << 8 | number


GET_RESOURCES = _request(0xA0, RESOURCES.size)
GET_CONTROLLER = _request(0xA1, CONTROLLER.size)
GET_BUFFER = _request(0xAD, BUFFER.size)
MAP_BUFFER = _request(0xB3, MAPPING.size)
CLOSE_BUFFER = 1 << 30 | 8 << 16 | ord("d") << 8 | 0x09


class Picture:
    """Pixels of four bytes: blue, green, red, and one that means nothing."""

    def __init__(self, width, height, rows):
        self.width, self.height, self._rows = width, height, rows

    def colour(self, x, y):
        """Red, green and blue."""
        return tuple(reversed(self._rows[y][4 * x:4 * x + 3]))


def photograph(card, number):
    """The glass of the screen that the card's controller with this number lights; None if it is dark."""
    file = os.open(card, os.O_RDWR | os.O_CLOEXEC)
    try:
        return _photograph(file, _controllers(file)[number])
    finally:
        os.close(file)


def _controllers(file):
    """Their numbers at the kernel."""
    count = _ask(file, GET_RESOURCES, RESOURCES, *[0] * 12)[5]
    numbers = (ctypes.c_uint32 * count)()
    _ask(file, GET_RESOURCES, RESOURCES, 0, ctypes.addressof(numbers), 0, 0, 0, count, *[0] * 6)
    return list(numbers)


def _photograph(file, controller):
    answer = _ask(file, GET_CONTROLLER, CONTROLLER, 0, 0, controller, *[0] * 19, b"")
    buffer, left, top, is_lit, width, height = answer[3], answer[4], answer[5], answer[7], answer[9], answer[14]
    if not (buffer and is_lit):
        return None
    _, _, whole_height, pitch, _, _, handle = _ask(file, GET_BUFFER, BUFFER, buffer, *[0] * 6)
    try:
        offset = _ask(file, MAP_BUFFER, MAPPING, handle, 0, 0)[2]
        with mmap.mmap(file, pitch * whole_height, prot=mmap.PROT_READ, offset=offset) as pixels:
            rows = [pixels[y * pitch + 4 * left:y * pitch + 4 * (left + width)] for y in range(top, top + height)]
    finally:
        fcntl.ioctl(file, CLOSE_BUFFER, struct.pack("@II", handle, 0))
    return Picture(width, height, rows)


def _ask(file, request, layout, *values):
    return layout.unpack(fcntl.ioctl(file, request, layout.pack(*values)))
