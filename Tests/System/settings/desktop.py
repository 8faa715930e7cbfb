# SPDX-License-Identifier: Apache-2.0
"""A desktop without a window manager, and orientation-settings in it: used by a pointer, and read as a screen reader does."""
import os
import re
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

from processes import PATIENCE_SECONDS, GaveUp, until  # noqa: E402
from tablet import start_bus  # noqa: E402

A11Y = "/usr/libexec/at-spi-bus-launcher"
# Warnings of GTK and GLib end the window: they are mistakes of its.
WINDOW = {"G_DEBUG": "fatal-criticals", "GSK_RENDERER": "cairo", "GDK_BACKEND": "x11", "GTK_A11Y": "atspi", "LANG": "C.UTF-8"}


class Desktop:
    """An X server and a session bus, for all windows of a test."""

    def __init__(self, processes, environment, size="1280x800"):
        folder = processes.folder
        (folder / "runtime").mkdir(mode=0o700)
        self.processes = processes
        self.windows = []
        address = start_bus(processes, "session", environment)
        (folder / "session-services/org.a11y.Bus.service").write_text(f"[D-BUS Service]\nName=org.a11y.Bus\nExec={A11Y}\n")
        self.environment = environment | WINDOW | {
            "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": str(folder / "runtime"), "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data"), "GSETTINGS_BACKEND": "memory",
            "GIO_USE_VFS": "local"}
        reader, writer = os.pipe()
        processes.start("xvfb", "Xvfb", "-noreset", "-nolisten", "tcp", "-screen", 0, f"{size}x24", "-displayfd", writer, environment=environment,
                        pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as display:
            self.environment["DISPLAY"] = f":{display.readline().strip()}"
        # libatspi reads these.
        os.environ.update({name: self.environment[name] for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY")})
        Atspi.init()

    def xdotool(self, *arguments):
        """Use the pointer or the keyboard, or ask about windows."""
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    def find_window(self, process):
        """The window of a process that is on the screen; nothing if there is none."""
        found = self.xdotool("search", "--onlyvisible", "--pid", process.pid).split()
        return found[-1] if found else None

    def size_of(self, window):
        """The width and the height of a window."""
        lines = self.xdotool("getwindowgeometry", "--shell", window).splitlines()
        values = dict(line.split("=") for line in lines)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def end_windows(self):
        """End the windows of a check."""
        for window in self.windows:
            window.kill()
            window.wait()
        self.windows.clear()

    def picture(self, file):
        """Save what is on the screen."""
        subprocess.run(["import", "-window", "root", str(file)], env=self.environment, check=True)


class Compositor:
    """Phoc in a window of the desktop, with a panel that is held upright: what a tablet without a shell of its own shows."""
    OUTPUT, WIDTH, HEIGHT = "X11-1", 400, 720

    def __init__(self, desktop, processes):
        self.desktop = desktop
        self.processes = processes
        folder = processes.folder
        (folder / "phoc.ini").write_text(
            f"[core]\nxwayland=false\n[output:{self.OUTPUT}]\nmode = {self.WIDTH}x{self.HEIGHT}\nscale = 1\n")
        keyfile = folder / "config/glib-2.0/settings/keyfile"
        keyfile.parent.mkdir(parents=True)
        keyfile.write_text("[sm/puri/phoc]\nauto-maximize=true\n")
        environment = desktop.environment | {"XDG_CONFIG_HOME": str(folder / "config"), "GSETTINGS_BACKEND": "keyfile"}
        backend = {"WLR_BACKENDS": "x11", "WLR_RENDERER": "pixman"}
        phoc = processes.start("phoc", "phoc", "-C", folder / "phoc.ini", environment=environment | backend | {"G_DEBUG": ""})
        found = until(lambda: re.search(r"wayland display '(\S+)'", "\n".join(processes.log("phoc"))), "phoc")
        self.environment = environment | {"WAYLAND_DISPLAY": found[1], "GDK_BACKEND": "wayland"}
        # wlroots' windows have neither a process number nor a name; the first of all is the screen.
        self.id = until(lambda: desktop.xdotool("search", "--onlyvisible", "--name", ".*").split()[1:], "phoc's window")[-1]
        self.windows = desktop.windows
        self.phoc = phoc

    def xdotool(self, *arguments):
        """Use the pointer or the keyboard."""
        return self.desktop.xdotool(*arguments)

    def size_of(self, window):
        """The width and the height of a window."""
        return self.desktop.size_of(window)

    def find_window(self, _process):
        """The window that takes the pointer: the compositor's."""
        return self.id

    def picture(self, file):
        """Save what the compositor shows, upright."""
        subprocess.run(["grim", str(file)], env=self.environment, check=True)


class Window:
    """orientation-settings, on a display."""

    def __init__(self, desktop, program, tablet, *, environment=()):
        self.desktop = desktop
        began = time.monotonic()
        self.process = desktop.processes.start(
            f"window-{id(self)}", program, "--socket", tablet.motion,
            environment=desktop.environment | tablet.environment | dict(environment))
        desktop.windows.append(self.process)
        self.log = f"window-{id(self)}"
        self.id = until(lambda: desktop.find_window(self.process) or self._check(), "the window")
        self.seconds_to_map = time.monotonic() - began
        self.app = until(self._application, "the window in the accessibility bus")

    def _check(self):
        if self.process.poll() is not None:
            raise GaveUp(f"the window has ended with {self.process.poll()}: {self.desktop.processes.log(self.log)}")

    def _application(self):
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for number in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(number)
            if application and application.get_process_id() == self.process.pid:
                return application
        return None

    def _widgets(self, node=None):
        """All widgets that are on the screen."""
        node = node or self.app
        for number in range(node.get_child_count()):
            child = node.get_child_at_index(number)
            if child is None:
                continue
            if child.get_state_set().contains(Atspi.StateType.VISIBLE):
                yield child
                yield from self._widgets(child)

    def texts(self):
        """The names of all that is shown."""
        self._check()
        try:
            self.app.clear_cache()
            return [name for name in (widget.get_name() for widget in self._widgets()) if name]
        except gi.repository.GLib.Error:    # A widget has gone meanwhile.
            return []

    def sees(self, text, seconds=PATIENCE_SECONDS):
        """Wait until this text is shown, as a part of one."""
        until(lambda: any(text in shown for shown in self.texts()), lambda: f"“{text}”; shown is {self.texts()}", seconds)

    def find(self, name):
        """A widget of this name, the outermost."""
        def found():
            try:
                self.app.clear_cache()
                return [widget for widget in self._widgets() if widget.get_name() == name]
            except gi.repository.GLib.Error:
                return []
        return until(found, lambda: f"“{name}”; shown is {self.texts()}")[0]

    def press(self, name, below=0):
        """Click on a widget of this name, in its middle or so many pixels below."""
        self.find(name)
        time.sleep(0.3)     # An animation may move it.
        left, top, right, bottom = self.box_of(name)
        x, y = (left + right) // 2, (top + bottom) // 2 + below
        self.desktop.xdotool("mousemove", "--window", self.id, x, y, "click", 1)

    def _frame(self):
        # What GTK tells is without the frame that it draws where there is no compositor.
        return max(0, self.desktop.size_of(self.id)[0] - self.place_of("Screen rotation").width) // 2

    def resize(self, width, height):
        """Give it a size, without the frame."""
        frame = self._frame()
        self.desktop.xdotool("windowsize", "--sync", self.id, width + 2 * frame, height + 2 * frame)

    def is_whole(self, name):
        """Whether all of a widget is within the window."""
        left, top, right, bottom = self.box_of(name)
        width, height = self.desktop.size_of(self.id)
        return 0 <= left < right - 20 and 0 <= top < bottom - 20 and right <= width and bottom <= height

    def box_of(self, name):
        """The left, top, right and bottom edge of a widget in the window, with its frame."""
        box, frame = self.place_of(name), self._frame()
        return frame + box.x, frame + box.y, frame + box.x + box.width, frame + box.y + box.height

    def place_of(self, name):
        """Where a widget is in the window, with its width and height."""
        return self.find(name).get_component_iface().get_extents(Atspi.CoordType.WINDOW)

    def wake_ups(self, seconds):
        """How often its threads have waited in the next seconds, together."""
        before = self._waits()
        time.sleep(seconds)
        return sum(count - before.get(thread, 0) for thread, count in self._waits().items())

    def _waits(self):
        counts = {}
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/status", encoding="ascii") as status:
                counts[thread] = sum(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt"))
        return counts

    def memory(self):
        """Its memory by proportional share (PSS), in kB."""
        with open(f"/proc/{self.process.pid}/smaps_rollup", encoding="ascii") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))

    def close(self):
        """End it."""
        self.process.terminate()
        self.process.wait()
