# SPDX-License-Identifier: Apache-2.0
"""A bus, made-up IIO devices, and a daemon that is measured."""
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dbus
import dbus.bus
import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

sys.path.append(str(Path(__file__).resolve().parents[2] / "Tests/System/vm/guest"))
from process_figures import WorkCounter, memory  # noqa: E402

NAME, PATH = "org.orientationd1", "/org/orientationd1"
DEVICE = f"{NAME}.Device"
PRELOAD = "libumockdev-preload.so.0"
CHIP = "/sys/devices/platform/chip/iio:device0"
LONGEST = 60                        # seconds that anything is waited for
WITH_US = ["setpriv", "--pdeathsig", "TERM"]    # of a process that ends when this one does

BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
  <limit name="max_connections_per_user">1000</limit>
</busconfig>
"""

# A KXCJ-1013 that is held upright; drivers of converters have a file for each channel.
ACCELEROMETER = {"name": "kxcjk1013", "in_accel_x_raw": 0, "in_accel_y_raw": -1024, "in_accel_z_raw": 0,
                 "in_accel_scale": "0.009577", "in_accel_sampling_frequency": "12.5",
                 "sampling_frequency_available": "0.781 1.563 12.5 25 50 100 200"}
CONVERTER = {"name": "adc", "in_voltage_scale": "0.5", **{f"in_voltage{channel}_raw": 100 for channel in range(8)}}
LIGHT = {"name": "als", "in_illuminance_raw": 400, "in_illuminance_scale": "0.25"}


def see_made_up_devices():
    """Start this program again, so that it and what it starts see umockdev's devices in place of the machine's."""
    if os.environ.get("LD_PRELOAD") != PRELOAD:
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"LD_PRELOAD": PRELOAD})


def devices(count, other):
    """A testbed with an accelerometer, and with so many devices in all, the rest of them others."""
    testbed = UMockdev.Testbed.new()
    for number in range(count):
        attributes = other if number else ACCELEROMETER
        chip = f"other{number}" if number else "chip"
        lines = "".join(f"A: {name}={value}\\n\n" for name, value in attributes.items())
        testbed.add_from_string(
            f"P: /devices/platform/{chip}/iio:device{number}\nN: iio:device{number}\nE: DEVNAME=/dev/iio:device{number}\n"
            f"E: DEVTYPE=iio_device\nE: SUBSYSTEM=iio\n{lines}\n")
    return testbed


class Machine:
    """Use as a context manager. READY is awaited; `began` and `ready` are seconds on the monotonic clock."""

    def __init__(self, daemon, *settings, testbed=None, sensor="auto"):
        self.folder = Path(tempfile.mkdtemp(prefix="growth-"))
        (self.folder / "bus.conf").write_text(BUS.format(folder=self.folder))
        (self.folder / "daemon.conf").write_text("".join(f"{line}\n" for line in settings))
        self._bus = subprocess.Popen([*WITH_US, "dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self.folder}/bus.conf"],
                                     stderr=subprocess.DEVNULL)
        self.address = f"unix:path={self.folder}/bus"
        self.bus = wait(self._connect, "a bus")
        self._notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notifications.bind(str(self.folder / "notify"))
        self._motion = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._motion.bind(self.motion)
        self._motion.listen(256)
        environment = os.environ | {
            "DBUS_SYSTEM_BUS_ADDRESS": self.address, "NOTIFY_SOCKET": f"{self.folder}/notify",
            "LISTEN_FDS": "1", "LISTEN_FDNAMES": "orientationd-motion"}
        if testbed:
            environment["UMOCKDEV_DIR"] = testbed.get_root_dir()
        self.began = time.monotonic()
        # The process must know its own id, which it has only after its start.
        with open(self.folder / "log", "wb") as log:
            self._daemon = subprocess.Popen(
                [*WITH_US, "sh", "-c", 'export LISTEN_PID=$$; exec "$0" "$@"', daemon, "--config", f"{self.folder}/daemon.conf",
                 "--sensor", sensor],
                env=environment, stderr=log, pass_fds=(3,), preexec_fn=lambda: os.dup2(self._motion.fileno(), 3))
        self.process = self._daemon.pid
        self._wait_until_ready()
        self.ready = time.monotonic()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._daemon, self._bus:
            process.send_signal(signal.SIGTERM)
            process.wait(LONGEST)
        self.bus.close()
        self._notifications.close()
        self._motion.close()
        shutil.rmtree(self.folder)

    def _connect(self):
        try:
            return dbus.bus.BusConnection(self.address)
        except dbus.exceptions.DBusException:
            return None

    @property
    def motion(self):
        return str(self.folder / "motion")

    def _wait_until_ready(self):
        while select.select([self._notifications], [], [], LONGEST)[0]:
            if b"READY=1" in self._notifications.recv(4096):
                return
        raise SystemExit(f"not ready:\n{(self.folder / 'log').read_text()}")

    def call(self, method):
        return self.bus.call_blocking(NAME, PATH, DEVICE, method, "", [], timeout=LONGEST)

    def subscribe(self):
        self.call("BeginGeneratingDeviceOrientationNotifications")
        # It waits for the first orientation.
        self.call("MeasureOrientation")

    def work(self):
        """What the daemon does from now on."""
        return WorkCounter(self.process)

    @property
    def cpu_milliseconds(self):
        """What the threads that there are have run since the start."""
        files = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(file.read_text().split()[0]) for file in files) / 1e6

    @property
    def resident(self):
        """kB."""
        return memory(self.process).resident

    def wait_until_idle(self):
        """Wait until the daemon has used no processor for longer than it keeps memory that it does not need."""
        before = -1
        while before != (before := self.cpu_milliseconds):
            time.sleep(2.5)


def wait(find, what):
    """What is found in the end."""
    end = time.monotonic() + LONGEST
    while not (found := find()):
        if time.monotonic() > end:
            raise SystemExit(f"in vain: {what}")
        time.sleep(0.01)
    return found
