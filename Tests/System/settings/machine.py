# SPDX-License-Identifier: Apache-2.0
"""A tablet whose chip is mounted by a quarter turn, with orientationd, its motion socket, and the `orientationctl` that reports call."""
import os
import socket

import dbus

from processes import until
from tablet import OUR_PATH, OURS, Tablet

# The direction that is up in each pose, along the screen's right edge, its top edge and out of it, in g.
POSES = {"upright": (0, 1, 0), "flat": (0, 0, 1), "right edge up": (1, 0, 0), "left edge up": (-1, 0, 0), "top edge down": (0, -1, 0)}


class TurnedChip(Tablet):
    """Nobody has told the daemon that the chip is turned, before it is calibrated."""

    def __init__(self, processes, daemon, tool, environment):
        super().__init__(processes, daemon, tool, environment)
        self.motion = processes.folder / "motion"
        programs = processes.folder / "bin"
        programs.mkdir()
        kernel = f"LD_PRELOAD=libumockdev-preload.so.0 UMOCKDEV_DIR='{self._kernel.get_root_dir()}'"
        program = programs / "orientationctl"
        program.write_text(f"#!/bin/sh\nexport {kernel}\nexec '{tool}' \"$@\"\n")
        program.chmod(0o755)
        self.environment = self.environment | {"PATH": f"{programs}:{environment['PATH']}"}
        self.pretender = None
        self.hold_so("upright")

    def start_daemon(self):
        """Start it with its socket, as systemd does."""
        self.motion.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.motion))
            listener.listen()
            # The daemon's first descriptor of systemd's is 3.
            self.processes.start(
                "starter", "bash", "-c",
                f"exec 3<&{listener.fileno()}; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=orientationd-motion; exec ./orientationd",
                environment=self.environment, pass_fds=[listener.fileno()])
        until(lambda: self.bus.name_has_owner(OURS), "orientationd")

    def end_daemon(self):
        """End it, as an administrator does."""
        os.kill(self.process_of(OURS), 15)
        until(lambda: not self.bus.name_has_owner(OURS), "orientationd's end")

    def hold_so(self, pose):
        """Hold it in a pose."""
        right, top, out = POSES[pose]
        # A straight chip of this kind would read (-right, -top, out), as tablet.py says.
        self.hold(-top, right, out)

    def allow(self, answer):
        """What polkit answers from now on."""
        name = "org.freedesktop.PolicyKit1"
        mock = self.bus.get_object(name, f"/{name.replace('.', '/')}/Authority")
        dbus.Interface(mock, "org.freedesktop.DBus.Mock").Behave("allow" if answer else "deny")
        dbus.Interface(mock, "org.freedesktop.DBus.Mock").Change()

    def call(self, member, *arguments):
        """Call a method of org.orientationd1.Sensor."""
        return getattr(dbus.Interface(self.bus.get_object(OURS, OUR_PATH, introspect=False), f"{OURS}.Sensor"), member)(*arguments)

    def pretend(self, matrix):
        """Start a program in the daemon's place that says what no daemon says; end the one before."""
        if self.pretender:
            self.pretender.terminate()
            self.pretender.wait()
        self.pretender = self.processes.start(
            "pretender", "/usr/bin/python3", "-m", "dbusmock", "--system", OURS, OUR_PATH, f"{OURS}.Device", environment=self.environment)
        until(lambda: self.bus.name_has_owner(OURS), "the one who pretends to be orientationd")
        mock = dbus.Interface(self.bus.get_object(OURS, OUR_PATH), "org.freedesktop.DBus.Mock")
        mock.AddMethods(f"{OURS}.Device", [(f"{verb}GeneratingDeviceOrientationNotifications", "", "", "") for verb in ("Begin", "End")])
        much = "<b>&\x1b[31m\n" + 50_000 * "x"
        mock.AddProperties(f"{OURS}.Device", {
            "Orientation": dbus.UInt32(4_000_000_000), "HasAccelerometer": True, "GeneratesDeviceOrientationNotifications": True,
            "TabletMode": much, "Version": much})
        mock.AddProperties(f"{OURS}.Sensor", {
            "Name": much, "Status": much, "Warnings": 20 * [much], "MountMatrix": matrix, "MountMatrixSource": much})
        mock.AddProperties(f"{OURS}.Screen", {
            "RotationLocked": False, "InterfaceOrientation": dbus.UInt32(1), "Transform": "normal", "Followers": 20 * [much],
            "OtherSensorProxy": much})
