# SPDX-License-Identifier: Apache-2.0
"""The programs that follow the tablet, from Debian's packages: two shells, and the library that KDE Plasma uses.

Each class defines what the program shows for each word of net.hadess.SensorProxy, and reads what it shows now. For a shell, this is
the transform of its output, which the compositor reports.
"""
import re
import subprocess
from pathlib import Path

import dbus
import dbus.bus

from processes import until
from session import OUTPUT, PANEL

TRANSFORMS = {"normal": "transform normal", "left-up": "transform 90", "bottom-up": "transform 180",
              "right-up": "transform 270"}


class Phosh:
    """The shell of phones and tablets, on phoc."""

    name = "phosh"
    shows = TRANSFORMS
    calls_daemon = True             # so that the bus starts it
    has_lock = True
    releases_when_locked = True
    watches_light = True

    def __init__(self, session):
        self.environment = session.environment | {"GDK_BACKEND": "wayland"}
        until(self.now, "phoc's output")
        domains = {"G_MESSAGES_DEBUG": "phosh-rotation-manager phosh-sensor-proxy-manager phosh-ambient"}
        self.process = session.processes.start(
            "phosh", "/usr/libexec/phosh", "--unlocked", environment=self.environment | domains)
        self.processes = session.processes

    def now(self):
        """How the compositor has turned its output; None before there is one."""
        result = subprocess.run(["wlr-randr"], env=self.environment, capture_output=True, text=True, check=False)
        found = re.search(r"^  Transform: (\S+)$", result.stdout, re.MULTILINE)
        return f"transform {found[1]}" if found else None

    def open_window(self):
        """Start an app, which the shell shows instead of its overview of apps."""
        program = Path(__file__).resolve().parent / "window.py"
        self.processes.start("window", "/usr/bin/python3", program, environment=self.environment)

    def screenshot(self, file):
        """Save what the output shows."""
        subprocess.run(["grim", "-o", OUTPUT, str(file)], env=self.environment, check=True)


class Mutter:
    """GNOME's compositor. Its nested mode has a laptop's panel; it follows one on machines with a touch screen only.

    So it runs on an X server that has one: Xwayland, whose touch screen is phoc's.
    """

    name = "mutter"
    shows = TRANSFORMS
    calls_daemon = False            # it waits for the bus name
    has_lock = True
    releases_when_locked = False
    watches_light = False           # that is another program's, in GNOME

    def __init__(self, session):
        x11 = session.start_x_server("xwayland", "Xwayland")
        environment = {key: value for key, value in session.environment.items() if key != "WAYLAND_DISPLAY"}
        self.bus = dbus.bus.BusConnection(session.bus_address)
        self.process = session.processes.start(
            "mutter", "mutter", "--nested", "--wayland", "--no-x11", "--wayland-display=mutter-0",
            environment=environment | {"DISPLAY": x11, "MUTTER_DEBUG_DUMMY_MODE_SPECS": f"{PANEL}@60"})
        until(lambda: self.bus.name_has_owner("org.gnome.Mutter.DisplayConfig"), "mutter")

    def now(self):
        """How it has turned its output, as GNOME's settings get to know it."""
        name = "org.gnome.Mutter.DisplayConfig"
        display = self.bus.get_object(name, f"/{name.replace('.', '/')}", introspect=False)
        _, _, logical_monitors, _ = display.GetCurrentState(dbus_interface=name)
        _, _, _, transform, *_ = logical_monitors[0]
        return f"transform {('normal', '90', '180', '270')[transform]}"

    def open_window(self):
        """No picture would show it."""

    def screenshot(self, file):
        """Mutter alone shows nothing."""


class QtSensors:
    """Qt's QOrientationSensor, by which KDE Plasma knows how the tablet is held."""

    name = "qt-sensors"
    shows = {"normal": "TopUp", "left-up": "LeftUp", "bottom-up": "TopDown", "right-up": "RightUp"}
    calls_daemon = False            # it offers what the bus has
    has_lock = False
    watches_light = False

    def __init__(self, session):
        self.processes = session.processes
        program = Path(__file__).resolve().parent / "qt_reader.py"
        self.process = self.processes.start(self.name, "/usr/bin/python3", program, environment=session.environment)

    def now(self):
        """What it has read last."""
        return next(reversed(self.processes.log(self.name)), None)

    def open_window(self):
        """It is no shell."""

    def screenshot(self, file):
        """It shows nothing."""


SHELLS = {shell.name: shell for shell in (Phosh, Mutter, QtSensors)}
