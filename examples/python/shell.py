#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Turns a screen as the shell of a desktop does. It only says what it would set: set_transform is to be replaced. Ctrl-C ends it."""

import signal
import sys

from gi.repository import Gio, GLib

TRANSFORMS = "normal", "90", "180", "270"  # wl_output has the numbers 0 to 3 for these
last = None


def set_transform(transform, orientation):
    """Call your compositor here. The orientation is that of the interface, for what depends on it, such as where a panel is."""
    print(f"set transform {transform}, {orientation}", flush=True)


def show(*_):
    global last
    names = "Transform", "InterfaceOrientationName", "InterfaceOrientationIsDecided"
    values = [screen.get_cached_property(name) for name in names]
    if None in values:  # The daemon does not run.
        return
    transform, orientation, is_decided = (value.unpack() for value in values)
    # Until it is decided, and with a value of a later version, the screen stays as it is.
    if is_decided and transform in TRANSFORMS and transform != last:
        set_transform(transform, orientation)
        last = transform


def begun(_, result):
    try:
        screen.call_finish(result)
    except GLib.Error as error:
        name = Gio.dbus_error_get_remote_error(error)
        print("cannot follow:", error.message.removeprefix(f"GDBus.Error:{name}: "), file=sys.stderr, flush=True)


def begin(*_):
    """At the start, and with each new owner of the name: a daemon of another boot or bus does not know of us."""
    if screen.get_name_owner():
        screen.call("BeginFollowing", None, Gio.DBusCallFlags.NONE, -1, None, begun)


screen = Gio.DBusProxy.new_for_bus_sync(
    Gio.BusType.SYSTEM, Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION, None,
    "org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen")
screen.connect("notify::g-name-owner", begin)
screen.connect("g-properties-changed", show)
# This starts the daemon, if it does not run. If that fails, it may come later.
screen.call("org.freedesktop.DBus.Peer.Ping", None, Gio.DBusCallFlags.NONE, -1, None, None)
begin()
show()
loop = GLib.MainLoop()
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, lambda *_: loop.quit())
loop.run()
if screen.get_name_owner():
    screen.EndFollowing()
