#!/usr/bin/gjs -m
// SPDX-License-Identifier: Apache-2.0
// Prints how the tablet is held and whether rotation is locked, now and after each change. Ctrl-C ends it.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';

const Device = Gio.DBusProxy.makeProxyWrapper(`<node><interface name="org.orientationd1.Device">
    <property name="OrientationName" type="s" access="read"/>
    <method name="BeginGeneratingDeviceOrientationNotifications"/>
    <method name="EndGeneratingDeviceOrientationNotifications"/>
</interface></node>`);
const Screen = Gio.DBusProxy.makeProxyWrapper(`<node><interface name="org.orientationd1.Screen">
    <property name="RotationLocked" type="b" access="read"/>
</interface></node>`);
const flags = Gio.DBusProxyFlags.DO_NOT_AUTO_START_AT_CONSTRUCTION;
const device = new Device(Gio.DBus.system, 'org.orientationd1', '/org/orientationd1', null, null, flags);
const screen = new Screen(Gio.DBus.system, 'org.orientationd1', '/org/orientationd1', null, null, flags);
let last = null;

function printState() {
    if (device.OrientationName === null || screen.RotationLocked === null)
        return; // The daemon does not run.
    const line = `${device.OrientationName}, rotation ${screen.RotationLocked ? 'locked' : 'unlocked'}`;
    if (line !== last) // Other properties change, too.
        print(line);
    last = line;
}

// At the start, and with each new owner of the name: a daemon of another boot or bus does not know of us.
function begin() {
    if (device.g_name_owner)
        device.BeginGeneratingDeviceOrientationNotificationsRemote((_result, error) => error && logError(error));
}

device.connect('notify::g-name-owner', begin);
device.connect('g-properties-changed', printState);
screen.connect('g-properties-changed', printState);
// This starts the daemon, if it does not run. If that fails, it may come later.
device.call('org.freedesktop.DBus.Peer.Ping', null, Gio.DBusCallFlags.NONE, -1, null, null);
begin();
printState();
const loop = new GLib.MainLoop(null, false);
// GLib 2.80 has moved it to a module that earlier versions lack.
const addSignal = GLib.check_version(2, 80, 0) === null ? imports.gi.GLibUnix.signal_add : GLib.unix_signal_add;
for (const signal of [2, 15]) // SIGINT and SIGTERM
    addSignal(GLib.PRIORITY_DEFAULT, signal, () => loop.quit());
loop.run();
if (device.g_name_owner)
    device.EndGeneratingDeviceOrientationNotificationsSync();
