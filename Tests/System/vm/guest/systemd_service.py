# SPDX-License-Identifier: Apache-2.0
"""A service of the guest's systemd: what tests ask often by systemd's own socket, the rest through systemctl."""
import contextlib
import json
import os
import subprocess
import time
from pathlib import Path

from bus import CallFailed, SharedConnection
from waiting import pauses

TIMEOUT = 100                       # seconds; systemd's own for starting and stopping are shorter


def systemctl(*arguments):
    # Its own patience, 25 s, is less than an emulated systemd takes to read all units while others have the processor.
    environment = os.environ | {"SYSTEMD_BUS_TIMEOUT": str(TIMEOUT)}
    done = subprocess.run(["systemctl", "--no-pager", *arguments], capture_output=True, text=True, timeout=TIMEOUT, env=environment)
    if done.returncode:
        raise RuntimeError(f"systemctl {' '.join(arguments)}: {done.stdout}{done.stderr}".strip())
    return done.stdout


def systemd_version():
    return int(systemctl("--version").split()[1])


# As systemctl does: what a test does to the bus is nothing to it.
SYSTEMD = SharedConnection("unix:path=/run/systemd/private")
OBJECT, NAME = "/org/freedesktop/systemd1", "org.freedesktop.systemd1"


def manager(method, signature="", *arguments):
    return SYSTEMD.call(None, OBJECT, f"{NAME}.Manager", method, signature, *arguments)


def property_of(path, interface, name):
    return SYSTEMD.call(None, path, "org.freedesktop.DBus.Properties", "Get", "ss", f"{NAME}.{interface}", name)[0]


class SystemdService:
    def __init__(self, name):
        self.unit = f"{name}.service"

    def start(self):
        systemctl("start", self.unit)

    def stop(self):
        job, = manager("StopUnit", "ss", self.unit, "replace")
        end = time.monotonic() + TIMEOUT
        for pause in pauses():
            if time.monotonic() > end:
                raise TimeoutError(f"{self.unit} does not stop")
            try:
                property_of(job, "Job", "State")
            except CallFailed as error:
                if "UnknownObject" not in str(error):
                    raise
                return              # a job that is done is no object any more
            time.sleep(pause)

    def reload(self):
        systemctl("reload", self.unit)

    def start_afresh(self):
        """Stop it, forget earlier failures and starts (systemd limits them), start it."""
        self.stop()
        self.forget_failures()
        self.start()

    def forget_failures(self):
        with contextlib.suppress(CallFailed):       # it is not loaded
            manager("ResetFailedUnit", "s", self.unit)

    def show(self, field):
        """A property of the unit, or of the service that it is, as text."""
        unit, = manager("LoadUnit", "s", self.unit)
        try:
            value = property_of(unit, "Unit", field)
        except CallFailed:
            value = property_of(unit, "Service", field)
        return " ".join(value) if isinstance(value, list) else str(value)

    @property
    def process(self):
        """Number of the main process; 0 if there is none."""
        return int(self.show("MainPID"))

    def journal(self):
        """What the main process wrote to the journal: the fields of each entry."""
        subprocess.run(["journalctl", "--sync"], check=True, timeout=TIMEOUT)
        lines = subprocess.run(["journalctl", "--quiet", "--output=json", f"_PID={self.process}"],
                               capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout.splitlines()
        return [json.loads(line) for line in lines]

    def override(self, section, **settings):
        """Settings of the unit until `remove_override`, as an administrator's drop-in. A list is a line for each."""
        self._drop_in.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"[{section}]"] + [f"{key}={value}" for key, values in settings.items()
                                    for value in (values if isinstance(values, list) else [values])]
        self._drop_in.write_text("\n".join(lines) + "\n")
        systemctl("daemon-reload")

    def remove_override(self):
        self._drop_in.unlink()
        systemctl("daemon-reload")

    @property
    def _drop_in(self):
        return Path(f"/run/systemd/system/{self.unit}.d/test.conf")
