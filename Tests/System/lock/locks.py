# SPDX-License-Identifier: Apache-2.0
"""A session with GNOME's settings, the two rotation locks, and the program that keeps them equal."""
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import dbus
import dbus.bus

from processes import GaveUp, until
from tablet import OURS, OUR_PATH, start_bus

TOUCHSCREEN, KEY = "org.gnome.settings-daemon.peripherals.touchscreen", "orientation-lock"
DCONF = Path("/usr/share/dbus-1/services/ca.desrt.dconf.service")
STILL_SECONDS = 1                   # after which nothing more is to come


class Locks:
    """Both locks, as persons and programs set and see them."""

    def __init__(self, processes, tablet, program):
        self.processes = processes
        self.tablet = tablet
        self.program = program
        folder = processes.folder
        (folder / "runtime").mkdir(mode=0o700)
        self.environment = tablet.environment | {
            "XDG_RUNTIME_DIR": str(folder / "runtime"), "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
            "GSETTINGS_BACKEND": "dconf", "XDG_CURRENT_DESKTOP": "Phosh:GNOME",
        }
        # The bus starts dconf's service, with its own environment.
        address = start_bus(processes, "session", self.environment)
        (folder / "session-services" / DCONF.name).write_text(DCONF.read_text())
        bus = dbus.bus.BusConnection(address)
        bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus", introspect=False).ReloadConfig(
            dbus_interface="org.freedesktop.DBus")
        self.session = bus
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        self.agent = None

    def start(self, **environment):
        """Start the program, as the session does."""
        self.agent = self.processes.start("agent", self.program, environment=self.environment | environment)

    def log(self):
        """What it has said."""
        return self.processes.log("agent")

    def ends(self, code):
        """Wait until it has ended with this code; negative: by that signal."""
        until(lambda: self.agent.poll() is not None, "the program has ended")
        self.expect(self.agent.returncode == code, f"it ends with {code}, not {self.agent.returncode}")

    def desktop(self):
        """The desktop's lock, as another program reads it."""
        text = subprocess.run(["gsettings", "get", TOUCHSCREEN, KEY], env=self.environment, check=True, capture_output=True,
                              text=True).stdout.strip()
        return {"true": True, "false": False}[text]

    def set_desktop(self, locked):
        """Tap on it in quick settings."""
        subprocess.run(["gsettings", "set", TOUCHSCREEN, KEY, "true" if locked else "false"], env=self.environment, check=True)

    def _screen(self):
        return self.tablet.bus.get_object(OURS, OUR_PATH, introspect=False)

    def daemon(self):
        """orientationd's lock."""
        return bool(self._screen().Get(f"{OURS}.Screen", "RotationLocked", dbus_interface=dbus.PROPERTIES_IFACE))

    def set_daemon(self, locked):
        """Set it, as its switch or `orientationctl lock` does."""
        self._screen().SetRotationLock(locked, dbus_interface=f"{OURS}.Screen")

    def toggle_daemon(self):
        self._screen().ToggleRotationLock(dbus_interface=f"{OURS}.Screen")

    def polkit(self, behaviour):
        """What polkit answers from now on."""
        name = "org.freedesktop.PolicyKit1"
        authority = self.tablet.bus.get_object(name, f"/{name.replace('.', '/')}/Authority")
        dbus.Interface(authority, "org.freedesktop.DBus.Mock").Behave(behaviour)

    def become(self, locked, why):
        """Both locks have to become this, and stay it."""
        until(lambda: self.daemon() == self.desktop() == locked,
              lambda: f"{why}: desktop {self.desktop()}, daemon {self.daemon()}, not {locked}")
        self.stay(locked, locked, why)

    def stay(self, desktop, daemon, why):
        """The locks must be and remain these."""
        end = time.monotonic() + STILL_SECONDS
        while time.monotonic() < end:
            seen = self.desktop(), self.daemon()
            self.expect(seen == (desktop, daemon), f"{why}: desktop and daemon {seen}, not {(desktop, daemon)}")
        print(f"    {why}: desktop {desktop}, daemon {daemon}", flush=True)

    def expect(self, holds, text):
        if not holds:
            raise GaveUp(f"not so: {text}")

    def bus_name(self):
        """The unique name of the program on the system bus."""
        bus = self.tablet.bus
        return next(name for name in bus.list_names() if name.startswith(":") and self.tablet.process_of(name) == self.agent.pid)

    def end_bus(self, bus):
        """End a bus."""
        daemon = bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus", introspect=False)
        process = daemon.GetConnectionUnixProcessID("org.freedesktop.DBus", dbus_interface="org.freedesktop.DBus")
        os.kill(int(process), signal.SIGKILL)

    def wakeups(self):
        """How often its threads have gone to sleep so far."""
        return sum(int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.MULTILINE)[1])
                   for task in Path(f"/proc/{self.agent.pid}/task").iterdir())

    def memory(self):
        """Its memory in kB: by proportional share; private and dirty."""
        text = Path(f"/proc/{self.agent.pid}/smaps_rollup").read_text()
        return tuple(int(re.search(rf"^{name}:\s*(\d+)", text, re.MULTILINE)[1]) for name in ("Pss", "Private_Dirty"))
