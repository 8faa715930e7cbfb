# SPDX-License-Identifier: Apache-2.0
"""An X server on the guest's graphics card: a portrait panel, which the card calls Virtual-1, and a monitor, Virtual-2."""
import os
import struct
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

from Xlib import X, display
from Xlib.ext import randr, xinput

import glass
from waiting import BUSY, wait_until

PANEL, MONITOR = "Virtual-1", "Virtual-2"
WIDTH, HEIGHT = 800, 1280           # the panel's mode
MONITOR_MODE = 1024, 768
NAME = ":7"
ROTATIONS = {"normal": randr.Rotate_0, "90": randr.Rotate_90, "180": randr.Rotate_180, "270": randr.Rotate_270}
TOUCH_BEGIN = 18                    # XI_TouchBegin, which python3-xlib does not know
CONFIGURATION = """\
Section "Device"
    Identifier "card"
    Driver "modesetting"
    Option "AccelMethod" "none"
EndSection
Section "ServerFlags"
    Option "AutoAddGPU" "off"
    Option "BlankTime" "0"
EndSection
"""
HEAD, SHAFT, PAPER = (0xC8, 0x1E, 0x1E), (0x1E, 0x3C, 0xC8), (0xF0, 0xF0, 0xF0)


class Output(NamedTuple):
    """What an output shows of the screen."""

    is_on: bool
    area: tuple = (0, 0, 0, 0)
    rotation: str = "normal"
    mode: int = 0


def card():
    """The directory of the card in sysfs."""
    return next(Path("/sys/class/drm").glob("card[0-9]"))


class XServer:
    """It runs from `start` to `stop`; meanwhile it is what programs see with `environment`."""

    def __init__(self, folder):
        self._folder = folder
        self._process = None
        self.environment = {"DISPLAY": NAME, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def start(self):
        """Nothing happens if it runs."""
        if self._process is not None:
            return
        subprocess.run(["modprobe", "virtio_gpu"], check=True)
        wait_until(lambda: list(Path("/sys/class/drm").glob(f"card[0-9]-{MONITOR}")), what="the graphics card")
        Path("/sys/class/drm", f"{card().name}-{MONITOR}", "status").write_text("on")
        configuration = self._folder / "xorg.conf"
        configuration.write_text(CONFIGURATION)
        self.log = self._folder / "xorg.log"
        began = time.monotonic()
        self._process = subprocess.Popen(
            ["Xorg", NAME, "-config", configuration, "-logfile", self.log, "-noreset", "-nolisten", "tcp", "-novtswitch",
             "-sharevts", "-nocursor"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._is_ready, 60, "the X server")
        self.seconds_to_start = time.monotonic() - began
        self.display = display.Display(NAME)
        self.screen = self.display.screen()
        self.root = self.screen.root

    def _is_ready(self):
        if self._process.poll() is not None:
            raise RuntimeError(f"the X server ended: {self.log.read_text()[-3000:]}")
        try:
            display.Display(NAME).close()
        except Exception:
            return False
        return True

    def kill(self):
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self):
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    # What is on the screen.

    def size(self):
        geometry = self.root.get_geometry()
        return geometry.width, geometry.height

    def millimetres(self):
        """How large programs take the screen to be that start now."""
        new = display.Display(NAME)
        screen = new.screen()
        new.close()
        return screen.width_in_mms, screen.height_in_mms

    def _resources(self):
        return self.root.xrandr_get_screen_resources_current()

    def _controllers(self):
        """The controller of each output that is on: (number, what it does)."""
        resources = self._resources()
        found = {}
        for number in resources.crtcs:
            controller = self.display.xrandr_get_crtc_info(number, resources.config_timestamp)
            for output in controller.outputs:
                name = self.display.xrandr_get_output_info(output, resources.config_timestamp).name
                found[name] = number, controller
        return found

    def outputs(self):
        found = {PANEL: Output(False), MONITOR: Output(False)}
        for name, (_, it) in self._controllers().items():
            rotation = next(word for word, bits in ROTATIONS.items() if it.rotation & bits)
            found[name] = Output(True, (it.x, it.y, it.width, it.height), rotation, it.mode)
        return found

    def panel(self):
        return self.outputs()[PANEL]

    def turn(self, rotation, seconds_off=0):
        """Turn the panel as xrandr does: off, the screen's new size, on. Returns for how many seconds it was off."""
        number, it = self._controllers()[PANEL]
        stamp = self._resources().config_timestamp
        began = time.monotonic()
        self.display.xrandr_set_crtc_config(number, stamp, 0, 0, 0, randr.Rotate_0, [])
        self.display.sync()
        time.sleep(seconds_off)
        width, height = (HEIGHT, WIDTH) if rotation in ("90", "270") else (WIDTH, HEIGHT)
        rest = [other for name, (_, other) in self._controllers().items() if name != PANEL]
        self.root.xrandr_set_screen_size(max([width, *(other.x + other.width for other in rest)]),
                                         max([height, *(other.y + other.height for other in rest)]), 200, 200)
        self.display.xrandr_set_crtc_config(number, stamp, 0, 0, it.mode, ROTATIONS[rotation], it.outputs)
        self.display.sync()
        return time.monotonic() - began

    def switch_off_and_on(self, name):
        """For long enough that a program notices."""
        number, it = self._controllers()[name]
        for place, mode, rotation, outputs in ((0, 0), 0, randr.Rotate_0, []), ((it.x, it.y), it.mode, it.rotation, it.outputs):
            stamp = self._resources().config_timestamp
            reply = self.display.xrandr_set_crtc_config(number, stamp, *place, mode, rotation, outputs)
            assert reply.status == 0, reply
            time.sleep(2)

    def arrange(self):
        """The panel upright, and the monitor at its right edge."""
        resources = self._resources()
        stamp = resources.config_timestamp
        modes = {mode.id: (mode.width, mode.height) for mode in resources.modes}
        for number in resources.crtcs:
            self.display.xrandr_set_crtc_config(number, stamp, 0, 0, 0, randr.Rotate_0, [])
        self.root.xrandr_set_screen_size(WIDTH + MONITOR_MODE[0], HEIGHT, 380, round(380 * HEIGHT / (WIDTH + MONITOR_MODE[0])))
        for number, name, size, x in ((0, PANEL, (WIDTH, HEIGHT), 0), (1, MONITOR, MONITOR_MODE, WIDTH)):
            output, info = next((output, info) for output in resources.outputs
                                for info in [self.display.xrandr_get_output_info(output, stamp)] if info.name == name)
            mode = next(mode for mode in info.modes if modes[mode] == size)
            self.display.xrandr_set_crtc_config(resources.crtcs[number], stamp, x, 0, mode, randr.Rotate_0, [output])
        self.display.sync()

    def show_only_a_small_panel(self, width, height):
        """A panel as on SPI, whose mode is smaller than the screens that the server has."""
        clocks = {"dot_clock": 10_000_000, "h_skew": 0, "flags": 0,
                  "h_sync_start": width + 8, "h_sync_end": width + 16, "h_total": width + 32,
                  "v_sync_start": height + 2, "v_sync_end": height + 4, "v_total": height + 8}
        name = f"{width}x{height}-small"
        mode = self.root.xrandr_create_mode({"id": 0, "width": width, "height": height, "name_length": len(name), **clocks}, name).mode
        resources = self._resources()
        stamp = resources.config_timestamp
        output = next(output for output in resources.outputs
                      if self.display.xrandr_get_output_info(output, stamp).name == PANEL)
        self.display.xrandr_add_output_mode(output, mode)
        for number in resources.crtcs:
            self.display.xrandr_set_crtc_config(number, stamp, 0, 0, 0, randr.Rotate_0, [])
        self.root.xrandr_set_screen_size(max(width, 320), max(height, 200), 80, 60)
        reply = self.display.xrandr_set_crtc_config(resources.crtcs[0], stamp, 0, 0, mode, randr.Rotate_0, [output])
        assert reply.status == 0, reply
        self.display.sync()

    def draw_arrow(self):
        """An arrow that points up, in the middle of what the panel shows."""
        x, y, width, height = self.panel().area
        window = self.root.create_window(x, y, width, height, 0, self.screen.root_depth, override_redirect=1,
                                         background_pixel=_pixel(PAPER))
        window.map()
        middle, top = width // 2, height // 2 - 300
        pen = window.create_gc(foreground=_pixel(HEAD))
        window.fill_poly(pen, X.Convex, X.CoordModeOrigin,
                         [(middle, top), (middle - 200, top + 300), (middle + 200, top + 300)])
        pen.change(foreground=_pixel(SHAFT))
        window.fill_rectangle(pen, middle - 60, top + 300, 120, 300)
        self.display.sync()
        return window

    def glass(self):
        """What is on the panel's glass."""
        return glass.photograph(f"/dev/dri/{card().name}", 0)

    # What people touch.

    def devices(self):
        """The names of the input devices."""
        return [device.name for device in self.display.xinput_query_device(xinput.AllDevices).devices]

    def map(self, name, output):
        """Map a touchscreen to an output, as `xinput map-to-output` does."""
        number = next(device.deviceid for device in self.display.xinput_query_device(xinput.AllDevices).devices
                      if device.name == name)
        (left, top, wide, high), (width, height) = self.outputs()[output].area, self.size()
        matrix = struct.pack("=9f", wide / width, 0, left / width, 0, high / height, top / height, 0, 0, 1)
        self.display.xinput_change_device_property(
            number, self.display.get_atom("Coordinate Transformation Matrix"), self.display.get_atom("FLOAT"),
            X.PropModeReplace, (32, list(struct.unpack("=9I", matrix))))
        self.display.sync()

    def pointer(self):
        at = self.root.query_pointer()
        return at.root_x, at.root_y


def _pixel(colour):
    red, green, blue = colour
    return red << 16 | green << 8 | blue


def arrow(picture):
    """Where the arrow in a picture points: up, down, left or right; None if there is none."""
    found = {HEAD: [], SHAFT: []}
    for y in range(0, picture.height, 16):
        for x in range(0, picture.width, 16):
            if (points := found.get(picture.colour(x, y))) is not None:
                points.append((x, y))
    if not all(found.values()):
        return None
    head, shaft = (tuple(sum(axis) / len(points) for axis in zip(*points)) for points in found.values())
    x, y = head[0] - shaft[0], head[1] - shaft[1]
    if abs(x) > abs(y):
        return "right" if x > 0 else "left"
    return "down" if y > 0 else "up"


class Touches:
    """Where on the screen fingers are put down, as the server tells programs."""

    def __init__(self):
        self._display = display.Display(NAME)
        root = self._display.screen().root
        self._extension = self._display.query_extension("XInputExtension").major_opcode
        self._display.xinput_query_version()
        root.xinput_select_events([(xinput.AllMasterDevices, 1 << TOUCH_BEGIN | 1 << 19 | 1 << 20)])
        self._display.sync()

    def next(self, timeout=5):
        """The place of the next touch, in pixels."""
        end = time.monotonic() + BUSY * timeout
        while time.monotonic() < end:
            if not self._display.pending_events():
                time.sleep(0.02)
                continue
            event = self._display.next_event()
            if getattr(event, "evtype", None) == TOUCH_BEGIN and event.extension == self._extension:
                # deviceid, time, detail, root, event, child, and the place with 16 bits of fraction.
                x, y = struct.unpack_from("=HIIIII" + "ii", event.data)[6:]
                return x / 65536, y / 65536
        raise TimeoutError("no touch")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._display.close()
