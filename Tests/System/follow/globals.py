# SPDX-License-Identifier: Apache-2.0
"""Compositors that only say what they offer, or report outputs as no compositor here does; and an X server that says nothing."""
import contextlib
import itertools
import socket
import struct
import threading

DISPLAY, GET_REGISTRY, SYNC, BIND = 1, 1, 0, 0
# Events of the manager, of an output and of a mode; and the first number of an object that a compositor makes.
MANAGER_HEAD, MANAGER_DONE = 0, 1
HEAD_NAME, HEAD_MODE, HEAD_ENABLED, HEAD_CURRENT_MODE, HEAD_FINISHED = 0, 3, 4, 5, 9
MODE_SIZE, MODE_FINISHED = 0, 3
FIRST_OBJECT = 0xff000000


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

    def _bound(self, client, manager):
        """A client has asked for the first interface."""

    def _answer(self, client):
        registry = None
        while header := client.recv(8, socket.MSG_WAITALL):
            target, word = struct.unpack("=II", header)
            arguments = client.recv((word >> 16) - 8, socket.MSG_WAITALL)
            if target == registry and word & 0xffff == BIND:
                self._bound(client, *struct.unpack("=I", arguments[-4:]))
            if target != DISPLAY:
                continue
            (created,) = struct.unpack("=I", arguments)
            if word & 0xffff == GET_REGISTRY:
                registry = created
                for number, interface in enumerate(self._interfaces, 1):
                    client.sendall(event(created, struct.pack("=I", number) + string(interface) + struct.pack("=I", 1)))
            elif word & 0xffff == SYNC:
                client.sendall(event(created, struct.pack("=I", 0)))


class Unplugging(Globals):
    """Unplugs outputs, and says something of their modes after that."""

    def __init__(self, folder):
        super().__init__(folder, "zwlr_output_manager_v1")
        self.unplugged = threading.Event()

    def _bound(self, client, manager):
        events = []
        for number in range(FIRST_OBJECT, FIRST_OBJECT + 200, 2):
            head, mode = struct.pack("=I", number), struct.pack("=I", number + 1)
            events += [event(manager, head, MANAGER_HEAD), event(number, string(f"DP-{number}"), HEAD_NAME),
                       event(number, mode, HEAD_MODE), event(number + 1, struct.pack("=II", 800, 600), MODE_SIZE),
                       event(number, struct.pack("=I", 1), HEAD_ENABLED), event(number, mode, HEAD_CURRENT_MODE),
                       event(manager, struct.pack("=I", number), MANAGER_DONE),
                       event(number, b"", HEAD_FINISHED), event(number + 1, struct.pack("=II", 1, 2), MODE_SIZE),
                       event(number + 1, b"", MODE_FINISHED), event(manager, struct.pack("=I", number), MANAGER_DONE)]
        for data in events:
            client.sendall(data)
        self.unplugged.set()


class Crowded(Globals):
    """Reports more outputs than a desktop can have, or more modes than a screen can have, and goes on with this for ever."""

    def __init__(self, folder, things):
        super().__init__(folder, "zwlr_output_manager_v1")
        self._things = things

    def _bound(self, client, manager):
        head = FIRST_OBJECT
        client.sendall(event(manager, struct.pack("=I", head), MANAGER_HEAD))
        sender, number = (manager, MANAGER_HEAD) if self._things == "outputs" else (head, HEAD_MODE)
        for thing in itertools.count(head + 1):
            client.sendall(event(sender, struct.pack("=I", thing), number))


class Nonsense(Globals):
    """Sends what is no message."""

    def __init__(self, folder):
        super().__init__(folder, "zwlr_output_manager_v1")

    def _bound(self, client, manager):
        client.sendall(event(manager, b"", 99))


class Silent(Globals):
    """A compositor that never says a word."""

    def _serve(self):
        """Not at all: who connects waits."""


class Mute(contextlib.AbstractContextManager):
    """An X server, at a port of this machine, that never says a word."""

    FIRST_PORT = 6000               # of display 0

    def __init__(self, _):
        self._listening = socket.socket()
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen()
        _, port = self._listening.getsockname()
        self.environment = {"DISPLAY": f"127.0.0.1:{port - self.FIRST_PORT}"}

    def __exit__(self, *_):
        self._listening.close()


def event(sender, arguments, number=0):
    """An event of an object."""
    return struct.pack("=II", sender, (8 + len(arguments)) << 16 | number) + arguments


def string(text):
    """A string as an argument: its length with the null byte, and filled up to words."""
    text = text.encode() + b"\0"
    return struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
