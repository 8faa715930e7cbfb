# SPDX-License-Identifier: Apache-2.0
"""The machine below the desktop: a system bus, polkit, and orientationd with an accelerometer that the test turns."""
import contextlib
import os
import signal
import socket
import subprocess
from pathlib import Path

import dbus
import dbus.bus
import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

from processes import GaveUp, until  # noqa: E402

POLKIT = Path(__file__).resolve().parents[2] / "Support" / "MockPolkit" / "polkit.py"
PROXY, PROXY_PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
STORED = "bus-name"                 # by which the service manager knows the connection that has that name during a restart
OURS, OUR_PATH = "org.orientationd1", "/org/orientationd1"
ONE_G = 1024                        # of the chip at +-2 g, in its counts; its right edge is up at first
LUX = 4                             # of the light sensor, in its counts
CHIP, LIGHT = "/devices/platform/chip/iio:device0", "/devices/platform/als/iio:device1"
SENSORS = f"""P: {CHIP}
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
A: name=kxcjk1013\\n
A: in_accel_x_raw=-{ONE_G}\\n
A: in_accel_y_raw=0\\n
A: in_accel_z_raw=0\\n
A: in_accel_scale=0.009577\\n
A: in_accel_sampling_frequency=12.500000\\n
A: sampling_frequency_available=0.781000 1.563000 12.500000 25.000000 50.000000 100.000000\\n

P: {LIGHT}
N: iio:device1
E: DEVNAME=/dev/iio:device1
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
A: name=vcnl4000\\n
A: in_illuminance_raw={100 * LUX}\\n
A: in_illuminance_scale={1 / LUX:.6f}\\n

"""
HINGE = "/devices/platform/hinge/iio:device2"
LID = f"""P: {HINGE}
N: iio:device2
E: DEVNAME=/dev/iio:device2
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
A: name=cros-ec-lid-angle\\n
A: in_angl_raw=100\\n

"""
BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <servicedir>{services}</servicedir>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
"""


SERVICE = "[D-BUS Service]\nName={name}\nExec={program}\n"


def start_bus(processes, name, environment):
    """Start a bus, which starts what is in the folder of its services, by itself none; return its address."""
    path = processes.folder / name
    services = processes.folder / f"{name}-services"
    services.mkdir()
    configuration = processes.folder / f"{name}.conf"
    configuration.write_text(BUS.format(socket=path, services=services))
    processes.start(f"{name}-bus", "dbus-daemon", "--nofork", "--nopidfile", f"--config-file={configuration}",
                    environment=environment)
    until(lambda: listens(path), f"the {name} bus")
    return f"unix:path={path}"


def listens(path):
    """Whether somebody listens at a socket, which is there before."""
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


class Tablet:
    """A tablet with orientationd, as far as a desktop sees it. As where that is installed, a call can start it."""

    def __init__(self, processes, daemon, tool, environment):
        self.processes = processes
        self.daemon = daemon
        self.tool = tool
        self.address = start_bus(processes, "system", environment)
        self.environment = environment | {"DBUS_SYSTEM_BUS_ADDRESS": self.address}
        self.bus = dbus.bus.BusConnection(self.address)
        self._start_polkit()
        self._kernel = UMockdev.Testbed.new()
        self._kernel.add_from_string(SENSORS)
        self._install(daemon)

    def _start_polkit(self):
        self.processes.start("polkit", "/usr/bin/python3", "-m", "dbusmock", "--template", POLKIT,
                             environment=self.environment)
        name = "org.freedesktop.PolicyKit1"
        until(lambda: self.bus.name_has_owner(name), "polkit")
        authority = self.bus.get_object(name, f"/{name.replace('.', '/')}/Authority")
        dbus.Interface(authority, "org.freedesktop.DBus.Mock").Behave("allow")

    def _install(self, daemon):
        folder = self.processes.folder
        # Of the service manager: what orientationd stores there over a restart.
        self._stored = None
        self._notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._notifications.bind(str(folder / "notify"))
        (folder / "orientationd.conf").write_text("SensorProxy=yes\n")
        (folder / "orientationd.log").touch()
        (folder / "kept").mkdir()
        program = folder / "orientationd"
        program.write_text(
            f"#!/bin/sh\ncd '{folder}'\nexec >>orientationd.log 2>&1\n"
            f"export DBUS_SYSTEM_BUS_ADDRESS='{self.address}' RUNTIME_DIRECTORY='{folder}/kept'\n"
            f"export NOTIFY_SOCKET='{folder}/notify'\n"
            f"export LD_PRELOAD=libumockdev-preload.so.0 UMOCKDEV_DIR='{self._kernel.get_root_dir()}'\n"
            "echo started\n"
            f"exec '{daemon}' --config orientationd.conf --state . --verbose\n")
        program.chmod(0o755)
        (folder / "system-services" / f"{PROXY}.service").write_text(SERVICE.format(name=PROXY, program=program))
        self.bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus", introspect=False).ReloadConfig(
            dbus_interface="org.freedesktop.DBus")

    def start_daemon(self):
        """Start orientationd, as udev does where it sees an accelerometer, or as systemd restarts it."""
        if self._stored is None:
            self.bus.start_service_by_name(PROXY)
            return
        process = self.processes.start(
            "restart", "bash", "-c",
            f'exec 3<&{self._stored}; LISTEN_FDS=1 LISTEN_PID=$$ LISTEN_FDNAMES={STORED} exec ./orientationd',
            environment=self.environment, pass_fds=[self._stored])
        os.close(self._stored)
        self._stored = None
        until(lambda: self.process_of(PROXY) == process.pid, f"{PROXY} to be that of the process that is started anew")

    def end_daemon(self):
        """End orientationd, as an upgrade does."""
        process = self.process_of(PROXY)
        os.kill(process, signal.SIGTERM)
        # One that has ended has none, even before the bus has taken note.
        until(lambda: not Path(f"/proc/{process}/exe").exists(), "orientationd's end")
        with contextlib.suppress(BlockingIOError):
            while True:
                text, descriptors, _, _ = socket.recv_fds(self._notifications, 4096, 1)
                if f"FDSTORE=1\nFDNAME={STORED}".encode() in text:
                    self._stored, = descriptors
        if self._stored is None:
            raise GaveUp(f"orientationd has not stored a connection for {PROXY}")

    def hold(self, x, y, z):
        """Turn the tablet: what its chip reads, in g."""
        for axis, value in zip("xyz", (x, y, z)):
            self._set(f"{CHIP}/in_accel_{axis}_raw", value * ONE_G)

    def add_hinge(self):
        """Make it a convertible, which is open as a laptop; for daemons that are started after this."""
        self._kernel.add_from_string(LID)

    def fold(self, degrees):
        """Open the hinge as far as that: over 200 degrees it is a tablet."""
        self._set(f"{HINGE}/in_angl_raw", degrees)

    def shine(self, lux):
        """Have so much light fall on the tablet."""
        self._set(f"{LIGHT}/in_illuminance_raw", lux * LUX)

    def _set(self, attribute, value):
        # In one write, as who reads meanwhile has to see the one or the other; umockdev puts a new file in the place.
        file = os.open(f"{self._kernel.get_root_dir()}/sys{attribute}", os.O_WRONLY)
        os.write(file, f"{value}\n".encode().ljust(8, b"\n"))
        os.close(file)

    def _get(self, name, path, interface, member):
        properties = dbus.Interface(self.bus.get_object(name, path, introspect=False), dbus.PROPERTIES_IFACE)
        return properties.Get(interface, member)

    def proxy(self, member):
        """A property of net.hadess.SensorProxy."""
        return self._get(PROXY, PROXY_PATH, PROXY, member)

    def device(self, member):
        """A property of org.orientationd1.Device."""
        return self._get(OURS, OUR_PATH, f"{OURS}.Device", member)

    def sensor(self, member):
        """A property of org.orientationd1.Sensor."""
        return self._get(OURS, OUR_PATH, f"{OURS}.Sensor", member)

    def screen(self, member):
        """A property of org.orientationd1.Screen."""
        return self._get(OURS, OUR_PATH, f"{OURS}.Screen", member)

    def gravity(self):
        """What org.orientationd1.Sensor says of gravity, in m/s^2."""
        sensor = dbus.Interface(self.bus.get_object(OURS, OUR_PATH, introspect=False), f"{OURS}.Sensor")
        return [float(axis) for axis in sensor.MeasureGravity()]

    def claimants(self, sensor="Accelerometer"):
        """The unique names of those who have claimed a sensor, by orientationd's log."""
        names = []
        for line in self.processes.log("orientationd"):
            words = line.split()
            if line == "started":
                names.clear()       # of the one that ran before
            elif line.endswith(f" claims {sensor}"):
                names.append(words[2])
            elif line.endswith((f" releases {sensor}", f"its claim of {sensor}")):
                names.remove(words[2])
        return names

    def process_of(self, client):
        """The process id of a client of the bus."""
        daemon = self.bus.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus", introspect=False)
        return int(daemon.GetConnectionUnixProcessID(client, dbus_interface="org.freedesktop.DBus"))

    @staticmethod
    def command_of(process):
        """The name of a process, as the kernel has it."""
        return Path(f"/proc/{process}/comm").read_text().strip()

    def orientationctl(self, *arguments):
        """Run our command-line tool, as the tablet's user does; return what it prints. It must not warn."""
        done = subprocess.run([self.tool, *arguments], env=self.environment, check=True, capture_output=True, text=True)
        if done.stderr:
            raise AssertionError(f"orientationctl {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def who_turns(self):
        """What `orientationctl status` says of who turns the screen."""
        lines = self.orientationctl("status").splitlines()
        return next(line.removeprefix("Screen").strip() for line in lines if line.startswith("Screen "))

    @contextlib.contextmanager
    def holding(self, orientation):
        """An app that holds the interface to an orientation."""
        command = [self.tool, "hold", orientation, "--", "cat"]
        with subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as app:
            yield
            app.stdin.close()
