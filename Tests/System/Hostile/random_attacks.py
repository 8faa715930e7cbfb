# SPDX-License-Identifier: Apache-2.0
"""Random attacks from a seed: `Attacker.go_on` runs one after the other until its time is over."""

import os
import random
import socket
import time

import attacks
import service
from connection import Connection
from message import CALL, ERROR, INTERACTIVE, NO_REPLY, RETURN, SIGNAL, Message

MOST_CONNECTIONS = 40
BIGGEST = 31 << 20
MATRICES = "", "0, 1, 0; -1, 0, 0; 0, 0, 1", "1e300, 0, 0; 0, nan, 0; 0, 0, 1", "1, 0, 0; " * 10_000


class Attacker:
    def __init__(self, address, daemon_name, seed):
        self.address, self.daemon_name = address, daemon_name
        self.chance = random.Random(seed)
        self.connections = []
        self.rights = attacks.null_descriptors()
        self.sent = {}
        # How often each is chosen.
        self.attacks = {
            self.ordinary_calls: 10, self.flood: 6, self.forge_departures: 6, self.forge_other_signals: 6, self.forge_replies: 4,
            self.send_descriptors: 8, self.send_long_paths: 4, self.send_wrong_arguments: 8, self.send_odd_headers: 4,
            self.send_big: 1, self.leave: 6, self.send_half: 4, self.send_garbage: 2, self.come_and_go: 3, self.read: 8,
            self.ask_for_names: 1,
        }

    def go_on(self, seconds):
        deadline = time.monotonic() + seconds
        kinds, weights = list(self.attacks), list(self.attacks.values())
        while time.monotonic() < deadline:
            attack = self.chance.choices(kinds, weights)[0]
            try:
                attack()
            except (OSError, TimeoutError):  # thrown out by the bus, or it does not read
                self.forget_broken()

    def connection(self):
        if len(self.connections) < 5 or self.chance.random() < 0.1 and len(self.connections) < MOST_CONNECTIONS:
            connection = Connection(self.address)
            connection.socket.settimeout(2)
            self.connections.append(connection)
        return self.chance.choice(self.connections)

    def forget_broken(self):
        """Whoever it was: all begin anew now and then."""
        for connection in self.connections:
            connection.close()
        self.connections = []

    def send(self, what, descriptors=(), connection=None):
        (connection or self.connection()).send(what, descriptors)
        name = what.member or f"kind {what.kind}"
        self.sent[name] = self.sent.get(name, 0) + 1

    def some_call(self):
        """A call that the daemon knows."""
        chance = self.chance
        flags = chance.choice([0, 0, NO_REPLY, INTERACTIVE])
        calls = [
            lambda: service.device("MeasureOrientation", flags=flags), lambda: service.device(service.BEGIN, flags=flags),
            lambda: service.device(service.END, flags=flags), lambda: service.measure_gravity(flags=flags),
            lambda: service.set_lock(chance.random() < 0.5, flags=flags), lambda: service.get_all(service.DEVICE),
            lambda: service.get(service.SCREEN, "RotationLocked"), self.proxy_call, self.introspect, self.rotate,
            lambda: service.set_mount_matrix(chance.choice(MATRICES), flags=flags),
            lambda: service.preview_mount_matrix(chance.choice(MATRICES), chance.choice([0, 1, 60, 2**32 - 1]), flags=flags),
            lambda: service.device(chance.choice(["ResetMountMatrix", "EndMountMatrixPreview"]), interface=service.SENSOR, flags=flags),
        ]
        return chance.choice(calls)()

    def proxy_call(self):
        verb, kind = self.chance.choice(["Claim", "Release"]), self.chance.choice(["Accelerometer", "Light", "Proximity"])
        return service.proxy(verb + kind, flags=self.chance.choice([0, INTERACTIVE]))

    def introspect(self):
        path = self.chance.choice([service.PATH, "/", "/a/b"])
        return Message(CALL, path, "org.freedesktop.DBus.Introspectable", "Introspect", destination=service.NAME)

    def rotate(self):
        if self.chance.random() < 0.2:
            word = self.chance.choice(["", "calm", "normal", "quick", "\x1b[2J", "a" * 65536])
            return Message(CALL, service.PATH, service.SCREEN, "SetResponsiveness", destination=service.NAME, signature="s", body=(word,))
        member = self.chance.choice(["Rotate", "SetSupportedInterfaceOrientations", "HoldInterfaceOrientations"])
        call = Message(CALL, service.PATH, service.SCREEN, member, destination=service.NAME, signature="u")
        if member == "Rotate":
            call.body = (self.chance.choice([0, 1, 2, 3, 4, 30, 2**32 - 1]),)
            return call
        texts = ["", "portrait", "landscapeLeft", "unknown", "org.example.App", "\x1b[2J", "a" * 255, "a" * 65536]
        call.signature = "as"
        call.body = (self.chance.choice([[], ["portrait"] * 70, *([text] for text in texts), self.chance.choices(texts[:4], k=3)]),)
        if member == "HoldInterfaceOrientations":
            call.signature = "asssa{sv}"
            call.body += (self.chance.choice(texts), self.chance.choice(texts), ())
        return call

    # The attacks

    def ordinary_calls(self):
        for _ in range(self.chance.randrange(1, 20)):
            self.send(self.some_call())

    def flood(self):
        connection, call = self.connection(), self.some_call()
        encoded, count = attacks.make_encoded(call), self.chance.randrange(100, 3000)
        for _ in range(count):
            connection.send_again(encoded)
        self.sent[call.member] = self.sent.get(call.member, 0) + count

    def forge_departures(self):
        where = self.chance.choice([self.daemon_name, service.NAME])
        for number in range(self.chance.randrange(3), 400, 3):
            self.send(attacks.departure(where, f":1.{number}"))

    def forge_other_signals(self):
        where = self.chance.choice([self.daemon_name, service.NAME, None])
        word = self.chance.choice([":1.1", "", self.daemon_name])
        self.send(self.chance.choice([
            attacks.sleep_signal(where, self.chance.random() < 0.7),
            attacks.bus_signal(where, "NameAcquired", "s", service.PROXY),
            attacks.bus_signal(where, "NameLost", "s", service.NAME),
            attacks.bus_signal(where, "NameOwnerChanged", "sss", attacks.LOGIN, "", word),
            attacks.bus_signal(where, "NameOwnerChanged", "sss", "org.freedesktop.PolicyKit1", word, ""),
            Message(SIGNAL, "/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected", destination=where),
        ]))

    def forge_replies(self):
        for _ in range(30):
            serial = self.chance.randrange(1, 3000)
            reply = Message(RETURN, destination=self.daemon_name, reply_serial=serial, signature="u", body=(0,))
            if self.chance.random() < 0.5:
                reply = Message(ERROR, destination=self.daemon_name, reply_serial=serial, error="a.b", signature="s", body=("no",))
            self.send(reply)

    def send_descriptors(self):
        call = self.some_call()
        if self.chance.random() < 0.2:
            call = attacks.long_path(self.chance.choice([1000, 35_000]))
        for _ in range(self.chance.randrange(1, 40)):
            self.send(call, self.rights[:self.chance.randrange(1, 17)])

    def send_long_paths(self):
        call = attacks.long_path(self.chance.choice([127, 128, 1000, 32_500, 35_000]))
        for _ in range(self.chance.randrange(1, 20)):
            self.send(call)

    def send_wrong_arguments(self):
        call = self.some_call()
        call.signature, call.body = self.chance.choice([
            ("s", ("a" * 65536,)), ("v", (attacks.nested(self.chance.randrange(60)),)), ("y" * 255, (0,) * 255),
            ("a{sv}", ([("x", ("u", 1))] * 1000,)), ("ad", ([float("nan")] * 1000,)), ("ssv", ("", "", ("s", ""))), ("b", (1,)),
        ])
        call.interface = self.chance.choice([call.interface, None, service.PROPERTIES, "a.b"])
        self.send(call)

    def send_odd_headers(self):
        call = self.some_call()
        call.fields = tuple((self.chance.randrange(10, 256), "s", b"a" * self.chance.choice([0, 255, 100_000]))
                            for _ in range(self.chance.randrange(1, 50)))
        call.flags = self.chance.randrange(256)
        self.send(call)

    def send_big(self):
        size = self.chance.choice([1 << 20, 8 << 20, BIGGEST])
        self.send(self.chance.choice([
            lambda: attacks.big_body(size, self.some_call), lambda: attacks.big_header(min(size, 16 << 20), self.some_call),
            lambda: service.get_all(b"a" * size)])())

    def leave(self):
        """Amid whatever it has asked."""
        if self.connections:
            connection = self.connections.pop(self.chance.randrange(len(self.connections)))
            for _ in range(self.chance.randrange(30)):
                self.send(self.some_call(), connection=connection)
            connection.close()

    def send_half(self):
        connection = self.connection()
        data = self.some_call().encoded(connection.serial + 1)
        connection.send_bytes(data[:self.chance.randrange(len(data))])
        self.connections.remove(connection)
        if self.chance.random() < 0.8:
            connection.close()

    def send_garbage(self):
        connection = self.connection()
        data = bytearray(self.some_call().encoded(connection.serial + 1))
        for _ in range(self.chance.randrange(1, 5)):
            data[self.chance.randrange(len(data))] = self.chance.randrange(256)
        connection.send_bytes(bytes(data))

    def come_and_go(self):
        clients = []
        for _ in range(self.chance.randrange(1, 30)):
            client = Connection(self.address)
            clients.append(client)
            self.send(service.device(service.BEGIN), connection=client)
        for client in clients:
            client.socket.shutdown(socket.SHUT_RDWR)
            client.close()

    def read(self):
        """Some are read from at last, the others never."""
        connection = self.connection()
        while connection.fill(0.001):
            connection.buffer.clear()
        connection.forget_descriptors()

    def ask_for_names(self):
        for name in (service.NAME, service.PROXY, attacks.LOGIN):
            connection = self.connection()
            connection.send(Message(CALL, "/", "org.freedesktop.DBus", "RequestName", destination="org.freedesktop.DBus",
                                    signature="su", body=(name, 6)))


def attack(address, daemon_name, seed, seconds):
    # Whoever wants may start any number of processes, which the daemon cannot help: what is tried here is what messages do.
    os.nice(10)
    attacker = Attacker(address, daemon_name, seed)
    yield "ready"
    attacker.go_on(seconds)
    yield attacker.sent
