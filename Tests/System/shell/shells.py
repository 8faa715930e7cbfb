# SPDX-License-Identifier: Apache-2.0
"""The programs that follow the tablet, from Debian's packages: three shells, and the library that KDE Plasma uses.

Each class defines what the program shows for each word of net.hadess.SensorProxy, and reads what it shows now. For a shell, this is
the transform of its output, which the compositor reports.
"""
import json
import re
import subprocess
from pathlib import Path

import dbus
import dbus.bus
import dbus.lowlevel

from poses import DOWN, RIGHT, UPRIGHT
from processes import GaveUp, end, until
from session import OUTPUT, PANEL

TRANSFORMS = {"normal": "transform normal", "left-up": "transform 90", "bottom-up": "transform 180",
              "right-up": "transform 270"}


class Phosh:
    """The shell of phones and tablets, on phoc."""

    name = "phosh"
    shows = TRANSFORMS
    calls_daemon = True             # so that the bus starts it
    has_lock = True
    has_gnomes_lock = True
    releases_when_locked = True
    turns_when_unlocked = True
    watches_light = True

    def __init__(self, session):
        self.environment = session.environment | {"GDK_BACKEND": "wayland"}
        self.lock = session.lock_orientation
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
    has_gnomes_lock = True
    releases_when_locked = False
    turns_when_unlocked = True
    watches_light = False           # that is another program's, in GNOME

    def __init__(self, session):
        self.lock = session.lock_orientation
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


class KWin:
    """KDE Plasma's compositor, in a window of phoc, in whichever version is installed.

    It draws by software, which does not turn the picture: what its clients are told is what counts here. It does not take such a window
    for a panel, which it must be to turn; each version has its own way to make it one.
    """

    name = "kwin"
    shows = TRANSFORMS
    calls_daemon = False            # Qt's sensors offer what the bus has
    has_gnomes_lock = False
    releases_when_locked = False
    turns_when_unlocked = False     # but with the next turn
    watches_light = False

    ROTATIONS = {1: "normal", 2: "90", 4: "180", 8: "270"}      # of kscreen

    def __init__(self, session):
        self.session = session
        self.processes = session.processes
        self.bus = dbus.bus.BusConnection(session.bus_address)
        self.environment = session.environment | {
            "WAYLAND_DISPLAY": "kwin-0", "QT_QPA_PLATFORM": "wayland", "KSCREEN_BACKEND_INPROCESS": "1", "GDK_BACKEND": "wayland",
            "QT_LOGGING_RULES": "kscreen*=true", "QT_FORCE_STDERR_LOGGING": "1"}
        self.folder = self.processes.folder / "kwin"
        self.folder.mkdir()
        # Debian's program has a capability, which not every container grants, and with which it would not take our library.
        program = self.folder / "kwin_wayland"
        program.write_bytes(Path("/usr/bin/kwin_wayland").read_bytes())
        program.chmod(0o755)
        self.compositor = self.process = None

    def start_compositor(self, **environment):
        self.compositor = self.processes.start(
            "kwin", self.folder / "kwin_wayland", "--wayland-display", self.session.environment["WAYLAND_DISPLAY"],
            "--socket", self.environment["WAYLAND_DISPLAY"], "--no-lockscreen", "--no-global-shortcuts",
            environment=self.session.environment | {"KWIN_COMPOSE": "Q"} | environment)
        until(lambda: self.bus.name_has_owner("org.kde.KWin") and self.now(), "KWin's output")

    def set_tablet_mode(self, value):
        """Set it as the user can in Plasma's settings: by itself, KWin takes phoc's mouse for a laptop's."""
        file = self.processes.folder / "config" / "kwinrc"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"[Input]\nTabletMode={value}\n")
        notice = dbus.lowlevel.SignalMessage("/kwinrc", "org.kde.kconfig.notify", "ConfigChanged")
        notice.append({"Input": [dbus.ByteArray(b"TabletMode")]}, signature="a{saay}")
        self.bus.send_message(notice)
        self.bus.flush()

    def now(self):
        """How KWin has turned its output, as it tells its clients; None before there is one."""
        result = subprocess.run(["kscreen-doctor", "--json"], env=self.environment, capture_output=True, text=True, check=False)
        outputs = json.loads(result.stdout)["outputs"] if result.stdout.startswith("{") else None
        return f"transform {self.ROTATIONS[outputs[0]['rotation']]}" if outputs else None

    def open_window(self):
        """No picture would show it."""

    def screenshot(self, file):
        """Its picture is not turned."""


class KWin5(KWin):
    """Version 5.27. It is kded's module of kscreen that reads the sensor there, and turns KWin's output.

    It names the window's output WL-0; DSI-1, which a copy of its library says instead, it takes for a panel.
    """

    has_lock = True                 # Plasma's own

    NAME, PANEL = (name.encode("utf-16-le") for name in ("WL-%1", "DSI-1"))

    def conditions(self, story):
        """All that has to be true before Plasma turns the screen; it must stay as it is without each of these."""
        self.set_tablet_mode("off")
        self._start_compositor(panel=False)
        self._start_kscreen()
        story.unclaimed("without UPower")
        self.processes.start("upower", "/usr/bin/python3", "-m", "dbusmock", "--template", "upower", "--parameters",
                             '{"LidIsPresent": false}', environment=self.session.environment)
        until(lambda: story.tablet.bus.name_has_owner("org.freedesktop.UPower"), "UPower")
        self.set_tablet_mode("on")
        self._start_kscreen()
        story.claim()
        story.ignores("the output is no panel")
        end(self.compositor)
        until(lambda: not story.tablet.claimants(), "the end of kscreen with its compositor")
        self.set_tablet_mode("off")
        self._start_compositor(panel=True)
        self._start_kscreen()
        story.claim()
        story.ignores("laptop mode")
        self.set_tablet_mode("on")
        story.stays(UPRIGHT, "tablet mode, right edge up since before")
        story.turn(DOWN)
        story.turn(RIGHT)

    def _start_compositor(self, panel):
        listing = subprocess.run(["ldd", self.folder / "kwin_wayland"], capture_output=True, text=True, check=True).stdout
        library = Path(re.search(r"libkwin\.so\.\d+ => (\S+)", listing)[1])
        text = library.read_bytes()
        if text.count(self.NAME) != 1:
            raise GaveUp(f"{library} does not name its outputs as expected")
        (self.folder / re.search(r"libkwin\.so\.\d+", listing)[0]).write_bytes(text.replace(self.NAME, self.PANEL) if panel else text)
        self.start_compositor(LD_LIBRARY_PATH=str(self.folder))

    def _start_kscreen(self):
        """Start it anew, in the process that has it in Plasma."""
        if self.process:
            end(self.process)
        self.process = self.processes.start("kded5", "kded5", environment=self.environment)
        until(lambda: self.bus.name_has_owner("org.kde.kded5"), "kded")
        kded = self.bus.get_object("org.kde.kded5", "/kded", introspect=False)
        # As Plasma does, at the second of the phases of its start.
        if not kded.loadModule("kscreen", dbus_interface="org.kde.kded5"):
            raise GaveUp("kded does not load kscreen")

    def lock(self, locked):
        """Set what Plasma calls automatic rotation."""
        self.bus.get_object("org.kde.kded5", "/modules/kscreen", introspect=False).setAutoRotate(
            not locked, dbus_interface="org.kde.KScreen")


class KWin6(KWin):
    """Version 6, which reads the sensor itself. One function of its library says what a panel is; a program may replace that.

    Its lock, in the settings of the output, is set by a protocol of its own and not by D-Bus, so it is not tried here.
    """

    has_lock = False

    IS_PANEL = "int _ZNK4KWin6Output10isInternalEv(const void *output) { (void)output; return 1; }\n"

    def conditions(self, story):
        """All that has to be true before KWin turns the screen; it must stay as it is without each of these."""
        self.set_tablet_mode("on")
        self._start(panel=False)
        story.unclaimed("the output is no panel")
        end(self.compositor)
        self.set_tablet_mode("off")
        self._start(panel=True)
        story.unclaimed("laptop mode")
        self.set_tablet_mode("on")

    def _start(self, panel):
        library = self.folder / "panel.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, "-x", "c", "-"], input=self.IS_PANEL, text=True, check=True)
        self.start_compositor(**({"LD_PRELOAD": str(library)} if panel else {}))
        self.process = self.compositor


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


def _installed_kwin():
    program = Path("/usr/bin/kwin_wayland")
    return KWin5 if program.exists() and b"libkwin.so.5" in program.read_bytes() else KWin6


SHELLS = {shell.name: shell for shell in (Phosh, Mutter, _installed_kwin(), QtSensors)}
