# SPDX-License-Identifier: Apache-2.0
"""The system bus as an administrator sees it, through busctl."""
import json
import os
import re
import subprocess
import threading
from dataclasses import dataclass

from waiting import BUSY

TIMEOUT = 100                       # seconds; no answer takes that long


class CallFailed(Exception):
    """A method call that was answered with an error; the text is busctl's."""


def busctl(*arguments):
    answer = subprocess.run(["busctl", "--system", "--json=short", *arguments],
                            capture_output=True, text=True, timeout=TIMEOUT)
    if answer.returncode:
        raise CallFailed(answer.stderr.strip())
    return json.loads(answer.stdout) if answer.stdout.strip() else None


@dataclass(frozen=True)
class RemoteObject:
    service: str
    path: str
    interface: str

    def property(self, name):
        return busctl("get-property", self.service, self.path, self.interface, name)["data"]

    def call(self, method, *arguments):
        answer = busctl("call", self.service, self.path, self.interface, method, *arguments)
        return answer["data"] if answer else []


# Of org.orientationd1.Sensor, what these tests call its properties.
SENSOR_NAMES = {"Name": "SensorName", "Status": "SensorStatus", "Warnings": "SensorWarnings", "SampleRate": "SampleRate"}


class Device(RemoteObject):
    """org.orientationd1.Device, and the properties of its sensor."""

    def property(self, name):
        for own, here in SENSOR_NAMES.items():
            if name == here:
                return RemoteObject(self.service, self.path, f"{self.service}.Sensor").property(own)
        return super().property(name)


@dataclass(frozen=True)
class Signal:
    received: float                 # seconds on the real-time clock, as busctl stamped it
    destination: str                # whom alone it is for; "" where it is for everybody
    interface: str
    member: str
    arguments: list

    def changed_properties(self):
        """Of a PropertiesChanged signal: {name: new value}; the sensor's with the names of `Device.property`."""
        names = SENSOR_NAMES if self.arguments[0].endswith(".Sensor") else {}
        return {names.get(name, name): value["data"] for name, value in self.arguments[1].items()}


class SignalMonitor:
    """Every signal that a service sends, while the monitor lives (`with SignalMonitor(...) as it:`)."""

    def __init__(self, service):
        self._service = service
        self._objects = "/" + service.replace(".", "/")
        self._signals = []
        self._arrived = threading.Condition()

    def __enter__(self):
        self._busctl = subprocess.Popen(["busctl", "--system", "--json=short", "monitor", self._service],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=os.environ | {"SYSTEMD_LOG_LEVEL": "debug"})
        self._wait_until_it_listens()
        threading.Thread(target=self._busctl.stderr.read, daemon=True).start()
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._busctl.kill()
        self._busctl.wait()

    def _wait_until_it_listens(self):
        """Until the bus has answered BecomeMonitor: not every release of busctl says so itself."""
        answer, lines = None, []
        for line in self._busctl.stderr:
            lines.append(line)
            if call := re.search(r"member=BecomeMonitor .*?cookie=(\d+)", line):
                answer = re.compile(rf"type=method_return .*reply_cookie={call[1]}\b")
            elif answer and answer.search(line):
                return
        raise RuntimeError("busctl monitor: " + "".join(lines))

    @property
    def position(self):
        """Signals up to now, to wait only for those after."""
        return len(self._signals)

    def since(self, position, member=None):
        return [signal for signal in self._signals[position:] if member in (None, signal.member)]

    def wait_for(self, wanted, position=0, timeout=10):
        """The first signal from `position` on for which wanted(signal) is true; None at the timeout."""
        def first():
            return next((signal for signal in self._signals[position:] if wanted(signal)), None)
        with self._arrived:
            return self._arrived.wait_for(first, BUSY * timeout)

    def _read(self):
        for line in self._busctl.stdout:
            message = json.loads(line)
            # dbus-broker shows a monitor also the signals of other services.
            if message["type"] == "signal" and message["path"].startswith(self._objects):
                signal = Signal(message["timestamp-realtime"] / 1e6, message.get("destination", ""), message["interface"],
                                message["member"], message["payload"]["data"])
                with self._arrived:
                    self._signals.append(signal)
                    self._arrived.notify_all()
