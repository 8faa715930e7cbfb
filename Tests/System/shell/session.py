# SPDX-License-Identifier: Apache-2.0
"""A user's session with a touch screen: phoc, a wlroots compositor, in a window of Xvfb.

Phoc's own headless mode has no seat for input. Without a seat, phosh does not start, and mutter does not detect a tablet.
"""
import os
import re
import subprocess

from processes import until
from tablet import start_bus

OUTPUT = "X11-1"
PANEL = "720x1440"                  # portrait, as the tablet of tablet.py is
PHOC_CONFIGURATION = f"""[core]
xwayland=false
[output:{OUTPUT}]
mode = {PANEL}
scale = 2
"""
TOUCHSCREEN = "org.gnome.settings-daemon.peripherals.touchscreen"


class Session:
    """A session that shares nothing with that of who runs the test."""

    def __init__(self, processes, environment):
        self.processes = processes
        folder = processes.folder
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        self.bus_address = start_bus(processes, "session", environment)
        self.environment = environment | {
            "DBUS_SESSION_BUS_ADDRESS": self.bus_address,
            "XDG_RUNTIME_DIR": str(runtime), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data"),
            # Settings in a file: `gsettings` and the shell have the same, and dconf need not run.
            "GSETTINGS_BACKEND": "keyfile", "GIO_USE_VFS": "local", "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        display = self.start_x_server("xvfb", "Xvfb", "-nolisten", "tcp", "-screen", 0, f"{PANEL}x24")
        self._start_compositor(display)

    def start_x_server(self, name, *command):
        """Start an X server on a display that is free; return which."""
        reader, writer = os.pipe()
        self.processes.start(name, *command, "-displayfd", writer, environment=self.environment, pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as display:
            return f":{display.readline().strip()}"

    def _start_compositor(self, display):
        configuration = self.processes.folder / "phoc.ini"
        configuration.write_text(PHOC_CONFIGURATION)
        backend = {"WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman", "DISPLAY": display}
        self.processes.start("phoc", "phoc", "-C", configuration, environment=self.environment | backend)
        found = until(lambda: re.search(r"wayland display '(\S+)'", "\n".join(self.processes.log("phoc"))), "phoc")
        self.environment |= {"WAYLAND_DISPLAY": found[1]}

    def setting(self, verb, schema, key, *value):
        """Get, set or reset a setting of the user's; return what `gsettings` prints."""
        return subprocess.run(["gsettings", verb, schema, key, *value], env=self.environment, check=True,
                              capture_output=True, text=True).stdout.strip()

    def lock_orientation(self, locked):
        """Press the rotation lock of the shell's own, which phosh and GNOME have in the same setting."""
        self.setting("set", TOUCHSCREEN, "orientation-lock", "true" if locked else "false")

    def is_orientation_locked(self):
        """Whether that is on."""
        return self.setting("get", TOUCHSCREEN, "orientation-lock") == "true"

    def start_desktop_lock(self, program):
        """Start what keeps that lock and orientationd's equal, as systemd does in a real session."""
        self.processes.start("desktop-lock", program, environment=self.environment | {"XDG_CURRENT_DESKTOP": "Phosh:GNOME"})
