# SPDX-License-Identifier: Apache-2.0
"""A daemon on a private bus, with the simulated tablet as its sensor, and its memory and descriptors."""

import os
import shutil
import signal
import subprocess
import tempfile
import time

import dbus.bus

NAME = "org.orientationd1"
PATH = "/org/orientationd1"

BUS = """<busconfig>
  <type>system</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
  <policy user="{user}"><allow own="*"/></policy>
</busconfig>
"""


class Service:
    """The bus and the daemon; `wrapper` goes before the daemon's command line."""

    def __init__(self, program, wrapper=()):
        self.folder = tempfile.mkdtemp(prefix="orientationd-")
        os.chmod(self.folder, 0o755)
        configuration = f"{self.folder}/bus.conf"
        with open(configuration, "w", encoding="ascii") as file:
            file.write(BUS.format(folder=self.folder, user=os.geteuid()))
        self.address = f"unix:path={self.folder}/bus"
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={configuration}"],
            stderr=subprocess.DEVNULL)
        self.wait(lambda: os.path.exists(f"{self.folder}/bus"), "the bus")
        settings = f"{self.folder}/orientationd.conf"
        with open(settings, "w", encoding="ascii") as file:
            file.write("[Orientation]\nSensorProxy=yes\n")
        self.log_path = f"{self.folder}/log"
        with open(self.log_path, "wb") as log:
            self.daemon = subprocess.Popen(
                [*wrapper, program, "--sensor", "simulated", "--config", settings], stderr=log,
                env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address})
        client = self.connect()
        self.wait(lambda: client.name_has_owner(NAME), "the daemon")
        client.close()

    @staticmethod
    def wait(holds, what):
        end = time.monotonic() + 60
        while not holds():
            if time.monotonic() > end:
                raise SystemExit(f"in vain: {what}")
            time.sleep(0.05)

    def connect(self):
        """A client's own connection."""
        return dbus.bus.BusConnection(self.address)

    @property
    def log(self):
        """What the daemon has written to its log, line by line."""
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def memory(self):
        """The daemon's resident memory, kB."""
        with open(f"/proc/{self.daemon.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))

    def descriptors(self):
        """How many files the daemon has open."""
        return len(os.listdir(f"/proc/{self.daemon.pid}/fd"))

    def end(self):
        """Ends the daemon as the service manager does; its exit code."""
        self.daemon.send_signal(signal.SIGTERM)
        code = self.daemon.wait(timeout=60)
        self.bus.terminate()
        self.bus.wait()
        return code

    def remove(self):
        """Removes the files."""
        shutil.rmtree(self.folder, ignore_errors=True)
