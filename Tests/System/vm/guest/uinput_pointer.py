# SPDX-License-Identifier: Apache-2.0
"""A touchscreen and a pen on the glass of a panel, implemented in user space, and a drawing tablet that is on no panel."""
import fcntl
import struct
import time

from uinput_device import EV_KEY, UI_SET_EVBIT, UinputDevice

EV_ABS = 3
ABS_X, ABS_Y, ABS_PRESSURE = 0x00, 0x01, 0x18
ABS_MT_SLOT, ABS_MT_POSITION_X, ABS_MT_POSITION_Y, ABS_MT_TRACKING_ID = 0x2F, 0x35, 0x36, 0x39
BTN_TOOL_PEN, BTN_TOUCH, BTN_STYLUS = 0x140, 0x14A, 0x14B
INPUT_PROP_POINTER, INPUT_PROP_DIRECT = 0, 1
ABS_SETUP = struct.Struct("@Hxx6i")
UI_ABS_SETUP = 1 << 30 | ABS_SETUP.size << 16 | ord("U") << 8 | 4
UI_SET_PROPBIT = 1 << 30 | 4 << 16 | ord("U") << 8 | 110
LAST = 4095                         # the largest value of each axis
RESOLUTION = 40                     # points a millimetre


class _Pointer(UinputDevice):
    """Positions are fractions of the panel's own width, from the left, and of its height, from the top."""

    def __init__(self, name, keys, axes, place):
        super().__init__(keys=keys, name=name)
        self._axes = axes
        self._place = place

    def _prepare(self):
        fcntl.ioctl(self._file, UI_SET_PROPBIT, self._place)
        fcntl.ioctl(self._file, UI_SET_EVBIT, EV_ABS)
        for axis, last in self._axes.items():
            resolution = RESOLUTION if last == LAST and axis != ABS_PRESSURE else 0
            fcntl.ioctl(self._file, UI_ABS_SETUP, ABS_SETUP.pack(axis, 0, 0, last, 0, 0, resolution))


class Touchscreen(_Pointer):
    def __init__(self, name="made-up touchscreen"):
        super().__init__(name, [BTN_TOUCH], {ABS_X: LAST, ABS_Y: LAST, ABS_MT_SLOT: 9, ABS_MT_TRACKING_ID: 65535,
                                             ABS_MT_POSITION_X: LAST, ABS_MT_POSITION_Y: LAST}, INPUT_PROP_DIRECT)
        self._number = 0

    def touch(self, x, y):
        self._number += 1
        x, y = round(x * LAST), round(y * LAST)
        self.send((EV_ABS, ABS_MT_SLOT, 0), (EV_ABS, ABS_MT_TRACKING_ID, self._number), (EV_ABS, ABS_MT_POSITION_X, x),
                  (EV_ABS, ABS_MT_POSITION_Y, y), (EV_KEY, BTN_TOUCH, 1), (EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y))
        time.sleep(0.05)
        self.send((EV_ABS, ABS_MT_TRACKING_ID, -1), (EV_KEY, BTN_TOUCH, 0))


class Pen(_Pointer):
    def __init__(self, name="made-up pen", place=INPUT_PROP_DIRECT):
        super().__init__(name, [BTN_TOOL_PEN, BTN_TOUCH, BTN_STYLUS], {ABS_X: LAST, ABS_Y: LAST, ABS_PRESSURE: LAST}, place)

    def touch(self, x, y):
        self.send((EV_KEY, BTN_TOOL_PEN, 1), (EV_ABS, ABS_X, round(x * LAST)), (EV_ABS, ABS_Y, round(y * LAST)))
        time.sleep(0.05)
        self.send((EV_KEY, BTN_TOOL_PEN, 0))
