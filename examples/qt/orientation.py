#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how the tablet is held and whether rotation is locked, now and after each change. Ctrl-C ends it."""

import os
import signal

from PyQt5.QtCore import QCoreApplication, QObject, QSocketNotifier, pyqtSlot
from PyQt5.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage, QDBusServiceWatcher

NAME, PATH, PROPERTIES = "org.orientationd1", "/org/orientationd1", "org.freedesktop.DBus.Properties"


class Tablet(QObject):
    def __init__(self, bus):
        super().__init__()
        self.state, self.last = {}, None
        self.device = QDBusInterface(NAME, PATH, "org.orientationd1.Device", bus)  # This starts the daemon.
        self.properties = QDBusInterface(NAME, PATH, PROPERTIES, bus)
        bus.connect(NAME, PATH, PROPERTIES, "PropertiesChanged", self.changed)
        self.watcher = QDBusServiceWatcher(NAME, bus, QDBusServiceWatcher.WatchForRegistration, serviceRegistered=self.begin)
        if bus.interface().isServiceRegistered(NAME).value():
            self.begin()

    def begin(self):
        """At the start, and with each new owner of the name: a daemon of another boot or bus does not know of us."""
        self.device.call("BeginGeneratingDeviceOrientationNotifications")
        for interface in "org.orientationd1.Device", "org.orientationd1.Screen":
            if (answer := self.properties.call("GetAll", interface)).type() == QDBusMessage.ReplyMessage:  # Else it has ended.
                self.state.update(answer.arguments()[0])
        self.print_state()

    @pyqtSlot(QDBusMessage)
    def changed(self, message):
        self.state.update(message.arguments()[1])
        self.print_state()

    def print_state(self):
        name, locked = map(self.state.get, ("OrientationName", "RotationLocked"))
        line = None if None in (name, locked) else f"{name}, rotation {'locked' if locked else 'unlocked'}"
        if line != self.last:  # Other properties change, too.
            print(line, flush=True)
        self.last = line


app = QCoreApplication([])
tablet = Tablet(QDBusConnection.systemBus())
# If the daemon has ended, the call would start it.
app.aboutToQuit.connect(lambda: tablet.device.isValid() and tablet.device.call("EndGeneratingDeviceOrientationNotifications"))
# Python handles a signal only when Qt calls it, which this pipe causes.
woken, waker = os.pipe2(os.O_NONBLOCK)
signal.set_wakeup_fd(waker)
for number in signal.SIGINT, signal.SIGTERM:
    signal.signal(number, lambda *_: app.quit())
notifier = QSocketNotifier(woken, QSocketNotifier.Read, activated=lambda: os.read(woken, 1))
app.exec_()
