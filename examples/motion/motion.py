#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints gravity ten times a second, in m/s^2 along the screen's axes. Ctrl-C ends it; orientationd-motion(5) has the details."""

import contextlib
import signal
import socket
import struct
import sys

VERSION, START, GRAVITY, SAMPLE, STATE = 0x314D444F, 1, 3, 1, 2
STATES = ["", "starting", "active", "no sensor", "failed", "suspended",
          "waiting", "stopped", "denied", "limits exceeded", "invalid request"]

signal.signal(signal.SIGINT, signal.SIG_DFL)
path = sys.argv[1] if len(sys.argv) > 1 else "/run/orientationd/motion"
with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as daemon:
    daemon.connect(path)
    with contextlib.suppress(BrokenPipeError):  # it has refused this program already; its record, which says why, can still be received
        daemon.send(struct.pack("<IHHII", VERSION, START, GRAVITY, 100_000, 0))
    with contextlib.suppress(ConnectionResetError):     # it can end like this, too
        while record := daemon.recv(32, socket.MSG_WAITALL):
            kind, sensor, lost, nanoseconds, x, y, z, state = struct.unpack("<HHIQfffI", record)
            if kind == SAMPLE:
                print(f"{x:.2f} {y:.2f} {z:.2f}", flush=True)
            elif kind == STATE and state < len(STATES):
                print("gravity:" if sensor else "connection:", STATES[state], file=sys.stderr, flush=True)
sys.exit("the connection has ended")
