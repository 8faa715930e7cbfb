# SPDX-License-Identifier: Apache-2.0
"""Programs that have subscribed, each with its own connection to the bus, all of them in this process."""
import time

import dbus.bus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME, PATH = "org.orientationd1", "/org/orientationd1"
DEVICE, TURN = f"{NAME}.Device", "OrientationDidChange"


class Hearers:
    """Use as a context manager."""

    def __init__(self, address, count):
        loop = DBusGMainLoop()
        self._connections = [dbus.bus.BusConnection(address, mainloop=loop) for _ in range(count)]
        for connection in self._connections:
            connection.add_match_string(f"type='signal',interface='{DEVICE}',member='{TURN}'")
            connection.add_message_filter(self._hear)
            connection.call_blocking(NAME, PATH, DEVICE, "BeginGeneratingDeviceOrientationNotifications", "", [])
        self._heard = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in self._connections:
            connection.close()

    def _hear(self, _, message):
        if message.get_member() == TURN:
            self._heard.setdefault(message.get_args_list()[2], []).append(1e3 * time.monotonic())

    def listen(self, seconds):
        """Listen for so long. Returns when each program heard of each turn that all have heard of, in milliseconds."""
        self._heard.clear()
        loop = GLib.MainLoop()
        GLib.timeout_add(int(1e3 * seconds), loop.quit)
        loop.run()
        return [times for times in self._heard.values() if len(times) == len(self._connections)]
