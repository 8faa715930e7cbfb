# SPDX-License-Identifier: Apache-2.0
"""Compositors with virtual outputs, which need no graphics card, and what they say of these."""
import os
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from arrow import save
from processes import GaveUp, until
from touching import Glass

PANEL, MONITOR = "HEADLESS-1", "HEADLESS-2"
WIDTH, HEIGHT = 800, 1280           # of the panel, in pixels
NOBODY = 65534
PHOC_CONFIGURATION = """[core]
xwayland=false
[output:{panel}]
mode = {width}x{height}
scale = {scale}
x = 0
y = 0
[output:{monitor}]
mode = 1280x720
x = {x}
y = 0
"""
SWAY_CONFIGURATION = """
output {panel} mode --custom {width}x{height} position 0 0 scale {scale}
output {monitor} mode --custom 1280x720 position {x} 0
"""


class Output(NamedTuple):
    """An output as wlr-randr shows it."""

    enabled: bool
    mode: str
    position: tuple
    transform: str
    scale: float


GONE = Output(enabled=False, mode="", position=(0, 0), transform="", scale=0)


class Compositor:
    """A compositor with a panel, and a monitor at its right edge."""

    name = ""
    panel_name, monitor_name, count = PANEL, MONITOR, 2
    backend = {"WLR_BACKENDS": "headless", "WLR_HEADLESS_OUTPUTS": "2", "WLR_LIBINPUT_NO_DEVICES": "1",
               "WLR_RENDERER": "pixman"}

    def __init__(self, processes, environment, scale=1):
        self.processes = processes
        self.scale = scale
        self.environment = environment | self.backend | {"HOME": str(processes.folder), "GSETTINGS_BACKEND": "memory"}
        self.runtime = self.make_runtime()
        self.environment |= {"XDG_RUNTIME_DIR": str(self.runtime)}
        self.process = self.start()
        socket = until(lambda: next((file for file in sorted(self.runtime.glob("wayland-*")) if file.is_socket()), None),
                       self.name)
        self.environment |= {"WAYLAND_DISPLAY": socket.name}
        until(lambda: len(self.outputs()) == self.count, f"{self.name}'s outputs")

    def make_runtime(self):
        """The folder of its socket."""
        runtime = self.processes.folder / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        for socket in runtime.glob("wayland-*"):
            socket.unlink()
        return runtime

    def outputs(self):
        """Each output by its name."""
        text = subprocess.run(["wlr-randr"], env=self.environment, capture_output=True, text=True, check=False,
                              timeout=15).stdout
        return {part.split()[0]: read(part) for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE) if part}

    def panel(self):
        """The tablet's own screen."""
        return self.outputs().get(self.panel_name, GONE)

    def change(self, *arguments):
        """Change an output, as another program or the user does."""
        # The compositor refuses what was asked for before another change was seen: then it has to be asked again.
        for _ in range(50):
            if subprocess.run(["wlr-randr", "--output", *map(str, arguments)], env=self.environment, timeout=15).returncode == 0:
                return
            time.sleep(0.1)
        raise GaveUp(f"wlr-randr refuses {arguments}")

    def show(self, picture):
        """Show a picture on every output."""
        self.processes.start("swaybg", "swaybg", "-i", picture, "-m", "fit", environment=self.environment)

    def photograph(self, file, output=PANEL):
        """Save what an output shows."""
        subprocess.run(["grim", "-o", output, str(file)], env=self.environment, check=True, timeout=15)


class Phoc(Compositor):
    """Phoc of this machine's Debian."""

    name = "phoc"

    def start(self):
        configuration = self.processes.folder / "phoc.ini"
        configuration.write_text(PHOC_CONFIGURATION.format(
            panel=self.panel_name, monitor=self.monitor_name, width=WIDTH, height=HEIGHT, scale=self.scale,
            x=int(WIDTH / self.scale)))
        return self.processes.start("phoc", "phoc", "-C", configuration, environment=self.environment)


class InWindow(Compositor):
    """In a window of Xvfb, whose pixels are those of the panel as it is built in: what is upright there depends on the tablet."""

    backend = {"WLR_BACKENDS": "x11", "WLR_X11_OUTPUTS": "1", "WLR_RENDERER": "pixman", "LIBGL_ALWAYS_SOFTWARE": "1"}
    panel_name, count = "X11-1", 1

    def start(self):
        reader, writer = os.pipe()
        self.processes.start("xvfb", "Xvfb", "-nolisten", "tcp", "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir",
                             self.processes.folder, "-displayfd", writer, environment=self.environment, pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as display:
            server = {"DISPLAY": f":{display.readline().strip()}"}
        self.environment |= server
        self.backend = self.backend | server
        return super().start()

    def photograph_panel(self, file):
        """Save the pixels of the panel, as a person sees them who holds the tablet upright."""
        dump = (self.processes.folder / "Xvfb_screen0").read_bytes()
        # The header of the X Window Dump, in the byte order of the network; colours follow it.
        header = struct.unpack(">25I", dump[:100])
        size, width, height, stride, colours = header[0], header[4], header[5], header[12], header[19]
        pixels = bytearray(3 * width * height)
        for y in range(height):
            start = size + 12 * colours + y * stride
            for colour in range(3):
                # From blue, green, red and a byte that is not used.
                pixels[3 * width * y + colour:3 * width * (y + 1):3] = dump[start + 2 - colour:start + 4 * width:4]
        save(file, width, height, bytes(pixels))


class PhocInWindow(InWindow, Phoc):
    """Phoc in such a window."""

    name = "phoc-in-window"


class InTree(Compositor):
    """A compositor of another Debian in a folder; not as root, which sway refuses."""

    tree = None                     # the folder
    mounts = {}                     # what else is to be seen in the tree, and where

    def make_runtime(self):
        runtime = Path(tempfile.mkdtemp(prefix="orientationd-", dir=self.tree / "run"))
        self.processes.callback(shutil.rmtree, runtime, ignore_errors=True)
        os.chown(runtime, NOBODY, NOBODY)
        return runtime

    def inside(self, *command):
        """A command line that runs in the tree as another user, with the devices and processes of this machine."""
        inner = {"XDG_RUNTIME_DIR": self.inner_runtime, "HOME": self.inner_runtime, "PATH": "/usr/bin:/bin"} | self.backend
        script = " && ".join([
            'mount --rbind /dev "$0/dev"', 'mount -t proc proc "$0/proc"',
            *(f"mount --rbind {shlex.quote(str(source))} {shlex.quote(str(target))}" for source, target in self.mounts.items()),
            'exec chroot "$0" "$@"'])
        return ["unshare", "--mount", "sh", "-c", script, self.tree, "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}",
                # umockdev takes paths for those of devices that only look so from the root folder.
                "--clear-groups", "env", f"--chdir={self.inner_runtime}", "-i",
                *(f"{key}={value}" for key, value in inner.items()), *command]

    @property
    def inner_runtime(self):
        """The folder of its socket, in the tree."""
        return f"/run/{self.runtime.name}"


class Sway(InTree):
    """Sway."""

    name = "sway"
    mapping = ""

    def start(self):
        configuration = self.runtime / "config"
        configuration.write_text(SWAY_CONFIGURATION.format(
            panel=self.panel_name, monitor=self.monitor_name, width=WIDTH, height=HEIGHT, scale=self.scale,
            x=int(WIDTH / self.scale)) + self.mapping.format(panel=self.panel_name))
        return self.processes.start("sway", *self.inside("sway", "-c", f"{self.inner_runtime}/config"),
                                    environment=self.environment)

    def message(self, *words):
        """Have swaymsg say something to it."""
        socket = next(self.runtime.glob("sway-ipc.*"))
        command = self.inside("swaymsg", "-s", f"{self.inner_runtime}/{socket.name}", *words)
        return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True, timeout=15).stdout


class Labwc(InTree):
    """Labwc."""

    name = "labwc"
    mapping = ""

    def start(self):
        configuration = self.runtime / ".config" / "labwc"
        configuration.mkdir(parents=True)
        (configuration / "rc.xml").write_text(f"<labwc_config>{self.mapping.format(panel=self.panel_name)}</labwc_config>")
        return self.processes.start("labwc", *self.inside("labwc"), environment=self.environment)

    def __init__(self, processes, environment, scale=1):
        super().__init__(processes, environment, scale)
        # It has no configuration of outputs.
        self.change(self.panel_name, "--custom-mode", f"{WIDTH}x{HEIGHT}", "--pos", "0,0", "--scale", scale,
                    "--output", self.monitor_name, "--custom-mode", "1280x720", "--pos", f"{int(WIDTH / scale)},0")


class Touched(InWindow, InTree):
    """The panel is in a window, and has a touchscreen and a pen."""

    backend = InWindow.backend | {"WLR_BACKENDS": "x11,headless,libinput", "WLR_HEADLESS_OUTPUTS": "1"}
    monitor_name, count = "HEADLESS-1", 2

    def start(self):
        self.glass = Glass(self.runtime, self.inner_runtime)
        self.backend = self.backend | self.glass.environment
        self.mounts = self.glass.mounts
        return super().start()


class TouchedSway(Touched, Sway):
    """As in orientationctl(1)."""

    name = "sway-touched"
    mapping = "input type:touch map_to_output {panel}\ninput type:tablet_tool map_to_output {panel}\n"


class TouchedLabwc(Touched, Labwc):
    """As in orientationctl(1)."""

    name = "labwc-touched"
    mapping = '<touch mapToOutput="{panel}"/><tablet mapToOutput="{panel}"/>'


def read(text):
    """Read one output of wlr-randr."""
    def value(name, otherwise):
        found = re.search(rf"^  {name}: (.*)$", text, re.MULTILINE)
        return found[1] if found else otherwise

    mode = re.search(r"^    (\d+x\d+) px.*current", text, re.MULTILINE)
    return Output(
        enabled=value("Enabled", "no") == "yes", mode=mode[1] if mode else "",
        position=tuple(map(int, value("Position", "0,0").split(","))), transform=value("Transform", ""),
        scale=float(value("Scale", "0")))
