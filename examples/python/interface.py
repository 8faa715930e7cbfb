#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which way up the interface is, now and after each change, as an app needs it that shows a camera. Ctrl-C ends it."""

import signal

from gi.repository import Gio, GLib

last = None


def interface_orientation():
    values = [screen.get_cached_property(name) for name in (
        "InterfaceOrientationName", "InterfaceOrientationIsDecided", "Followers", "OtherSensorProxy")]
    if not screen.get_name_owner() or None in values:
        return "unknown: the daemon does not run"
    name, is_decided, followers, other = (value.unpack() for value in values)
    if not followers or other:
        return "unknown: nothing turns the screen as the daemon says"
    return name if is_decided else "unknown: not decided yet"


def print_state(*_):
    global last
    line = interface_orientation()
    if line != last:  # Other properties change, too.
        print(line, flush=True)
        last = line


# It need not subscribe to the device's orientation: whoever turns the screen has the sensor run.
screen = Gio.DBusProxy.new_for_bus_sync(
    Gio.BusType.SYSTEM, Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION, None,
    "org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen")
screen.connect("notify::g-name-owner", print_state)
screen.connect("g-properties-changed", print_state)
# This starts the daemon, if it does not run. If that fails, it may come later.
screen.call("org.freedesktop.DBus.Peer.Ping", None, Gio.DBusCallFlags.NONE, -1, None, None)
print_state()
loop = GLib.MainLoop()
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, lambda *_: loop.quit())
loop.run()
