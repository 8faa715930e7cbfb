#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how the tablet is held and whether rotation is locked, now and after each change. Ctrl-C ends it."""

import signal

from gi.repository import Gio, GLib

last = None


def proxy(interface):
    return Gio.DBusProxy.new_for_bus_sync(
        Gio.BusType.SYSTEM, Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION, None,
        "org.orientationd1", "/org/orientationd1", interface)


def print_state(*_):
    global last
    name, locked = device.get_cached_property("OrientationName"), screen.get_cached_property("RotationLocked")
    if name is None or locked is None:  # The daemon does not run.
        return
    line = f"{name.unpack()}, rotation {'locked' if locked.unpack() else 'unlocked'}"
    if line != last:  # Other properties change, too.
        print(line, flush=True)
        last = line


def begin(*_):
    """At the start, and with each new owner of the name: a daemon of another boot or bus does not know of us."""
    if device.get_name_owner():
        device.call("BeginGeneratingDeviceOrientationNotifications", None, Gio.DBusCallFlags.NONE, -1, None,
                    lambda device, result: device.call_finish(result))


device, screen = proxy("org.orientationd1.Device"), proxy("org.orientationd1.Screen")
device.connect("notify::g-name-owner", begin)
device.connect("g-properties-changed", print_state)
screen.connect("g-properties-changed", print_state)
# This starts the daemon, if it does not run. If that fails, it may come later.
device.call("org.freedesktop.DBus.Peer.Ping", None, Gio.DBusCallFlags.NONE, -1, None, None)
begin()
print_state()
loop = GLib.MainLoop()
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, lambda *_: loop.quit())
loop.run()
if device.get_name_owner():
    device.EndGeneratingDeviceOrientationNotifications()
