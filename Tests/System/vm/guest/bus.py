# SPDX-License-Identifier: Apache-2.0
"""The system bus as an administrator sees it: signals by busctl, and calls by a connection that they share, because an emulated
processor needs a sixth of a second for each run of busctl, and tests ask until something is so."""
import functools
import json
import os
import re
import subprocess
import threading
from dataclasses import dataclass

from gi.repository import Gio, GLib

from waiting import BUSY

TIMEOUT = 100                       # seconds; no answer takes that long


class CallFailed(Exception):
    """A method call that was answered with an error; the text has its name."""


class SharedConnection:
    def __init__(self, address, flags=Gio.DBusConnectionFlags.NONE):
        self._open = functools.partial(Gio.DBusConnection.new_for_address_sync, address,
                                       flags | Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT)
        self._opened = None

    def call(self, service, path, interface, method, signature="", *arguments):
        """What a method answers. Opens the connection if it is not open, or if its other end was started anew."""
        try:
            if self._opened is None or self._opened.is_closed():
                self._opened = self._open()
            answer = self._opened.call_sync(service, path, interface, method, GLib.Variant(f"({signature})", arguments), None,
                                            Gio.DBusCallFlags.NONE, TIMEOUT * 1000, None)
        except GLib.Error as error:
            if not Gio.DBusError.is_remote_error(error):
                raise
            raise CallFailed(error.message) from None
        return _lists(answer.unpack())


SYSTEM_BUS = SharedConnection(Gio.dbus_address_get_for_bus_sync(Gio.BusType.SYSTEM), Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)


def _lists(value):
    """Structures are lists, as arrays are."""
    if isinstance(value, (list, tuple)):
        return [_lists(each) for each in value]
    return {key: _lists(each) for key, each in value.items()} if isinstance(value, dict) else value


@dataclass(frozen=True)
class RemoteObject:
    service: str
    path: str
    interface: str

    def property(self, name):
        return self._call("org.freedesktop.DBus.Properties", "Get", "ss", self.interface, name)[0]

    def properties(self):
        return self._call("org.freedesktop.DBus.Properties", "GetAll", "s", self.interface)[0]

    def call(self, method, signature="", *arguments):
        return self._call(self.interface, method, signature, *arguments)

    def _call(self, *arguments):
        return SYSTEM_BUS.call(self.service, self.path, *arguments)


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
    """Every signal that a service sends from the objects with its name or another one that it has, while the monitor lives
    (`with SignalMonitor(...) as it:`)."""

    def __init__(self, service, *other_names):
        self._service = service
        self._objects = tuple("/" + name.replace(".", "/") for name in (service, *other_names))
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
