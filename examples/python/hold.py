#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the screen in landscape while it runs, as an app does that shows a film. Prints the number of the hold. Ctrl-C ends it."""

import signal
import sys

from gi.repository import Gio, GLib

hold = None


def held(_, result):
    global hold
    try:
        hold, = screen.call_finish(result).unpack()
        print(f"hold {hold}", flush=True)
    except GLib.Error as error:
        name = Gio.dbus_error_get_remote_error(error)
        print("not held:", error.message.removeprefix(f"GDBus.Error:{name}: "), file=sys.stderr, flush=True)


def take(*_):
    """At the start, and with each new owner of the name: a daemon of another boot or bus does not know of the hold.

    If it is refused then, the daemon may still have the one before: its number is kept.
    """
    if screen.get_name_owner():
        # Two orientations; who holds, and what for, which every user can read; no options.
        arguments = ["landscapeLeft", "landscapeRight"], "org.example.Film", "shows a film", {}
        screen.call("HoldInterfaceOrientations", GLib.Variant("(asssa{sv})", arguments), Gio.DBusCallFlags.NONE, -1, None, held)


screen = Gio.DBusProxy.new_for_bus_sync(
    Gio.BusType.SYSTEM, Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION, None,
    "org.orientationd1", "/org/orientationd1", "org.orientationd1.Screen")
screen.connect("notify::g-name-owner", take)
# This starts the daemon, if it does not run. If that fails, it may come later.
screen.call("org.freedesktop.DBus.Peer.Ping", None, Gio.DBusCallFlags.NONE, -1, None, None)
take()
loop = GLib.MainLoop()
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, lambda *_: loop.quit())
loop.run()
if hold is not None and screen.get_name_owner():
    try:
        screen.ReleaseInterfaceOrientations("(u)", hold)
    except GLib.Error:
        pass  # A daemon that does not have it.
