# SPDX-License-Identifier: Apache-2.0
"""A compositor that only says what it offers, for those that cannot run here."""
import contextlib
import socket
import struct
import threading

DISPLAY, GET_REGISTRY, SYNC = 1, 1, 0


class Globals(contextlib.AbstractContextManager):
    """Serves in a folder, as wayland-0, who asks for these interfaces: each has version 1."""

    def __init__(self, folder, *interfaces):
        self.environment = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-0"}
        self._interfaces = interfaces
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / "wayland-0"))
        self._listening.listen()
        self._path = folder / "wayland-0"
        threading.Thread(target=self._serve, daemon=True).start()

    def __exit__(self, *_):
        self._path.unlink()
        self._listening.close()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                with client:
                    self._answer(client)

    def _answer(self, client):
        while header := client.recv(8, socket.MSG_WAITALL):
            target, word = struct.unpack("=II", header)
            arguments = client.recv((word >> 16) - 8, socket.MSG_WAITALL)
            if target != DISPLAY:
                continue
            (created,) = struct.unpack("=I", arguments)
            if word & 0xffff == GET_REGISTRY:
                for number, interface in enumerate(self._interfaces, 1):
                    client.sendall(event(created, struct.pack("=I", number) + string(interface) + struct.pack("=I", 1)))
            elif word & 0xffff == SYNC:
                client.sendall(event(created, struct.pack("=I", 0)))


def event(sender, arguments):
    """The first event of an object."""
    return struct.pack("=II", sender, (8 + len(arguments)) << 16) + arguments


def string(text):
    """A string as an argument: its length with the null byte, and filled up to words."""
    text = text.encode() + b"\0"
    return struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
