# SPDX-License-Identifier: Apache-2.0
"""A hostile iiod, as `Sensor=ip:HOST` may meet one. Each kind of answer takes a connection, and yields the bytes to send."""

import random
import socket
import threading
import time

HEADER = '<?xml version="1.0" encoding="utf-8"?>'
DTD = "<!DOCTYPE context [<!ELEMENT context (device)*><!ATTLIST context name CDATA #REQUIRED>{}]>"
AXES = "".join(
    f'<channel id="accel_{axis}" type="input"><attribute name="raw" filename="in_accel_{axis}_raw"/>'
    '<attribute name="scale" filename="in_accel_scale"/></channel>' for axis in "xyz")
DEVICE = '<device id="iio:device0" name="{}">' + AXES + "</device>"
BOMB = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))


def context(devices, dtd=""):
    return f'{HEADER}{DTD.format(dtd)}<context name="network" description="">{devices}</context>'.encode()


def line(text):
    return text if isinstance(text, bytes) else str(text).encode() + b"\n"


class Answers:
    """An iiod in order but for its description of devices, or what it reads."""

    def __init__(self, description, reading=b"0.5"):
        self.description, self.reading = description, reading

    def __call__(self, lines):
        for request in lines:
            if request.startswith("VERSION"):
                yield line("0.24.c4498c2")
            elif request.startswith("PRINT"):
                yield line(len(self.description)) + self.description + b"\n"
            elif request.startswith(("READ", "WRITE")):
                yield line(len(self.reading)) + self.reading + b"\n"
            elif request.startswith(("TIMEOUT", "EXIT")):
                yield line(0)
            else:
                yield line(-22)


def fixed(version, description):
    """The version, and then something in place of the description."""
    def answer(lines):
        for request in lines:
            yield version if request.startswith("VERSION") else description
    return answer


def endless(lines):
    next(lines)
    while True:
        yield b"a" * 65536


def endless_description(lines):
    for request in lines:
        if request.startswith("VERSION"):
            yield line("0.24.c4498c2")
        elif request.startswith("PRINT"):
            yield line(2**31 - 1)
            while True:
                yield b"<device>" * 8192
        else:
            yield line(-22)


def dripping(lines):
    for _ in lines:
        for byte in b"0.24.c4498c2 and so on and on":
            yield bytes([byte])
            time.sleep(0.3)


def nonsense(lines, chance=random.Random(1)):
    for _ in lines:
        yield chance.randbytes(4000)


def closing(lines):
    next(lines)
    return
    yield


WAYS = {
    "nonsense": nonsense,
    "an answer without end": endless,
    "a description without end": endless_description,
    "a byte now and then": dripping,
    "an end in place of an answer": closing,
    "a length of 2 GB": fixed(line("0.24.c4498c2"), line(2**31 - 1)),
    "a length of 2^64": fixed(line("0.24.c4498c2"), line(2**64)),
    "a negative length": fixed(line("0.24.c4498c2"), line(-(2**31))),
    "a version of 1 MB": fixed(line("9" * (1 << 20)), line(0)),
    "an XML bomb": Answers(context("&a12;", BOMB)),
    "an XML bomb in a name": Answers(context(DEVICE.format("&a12;"), BOMB)),
    "3,000 devices": Answers(context(DEVICE.format("a") * 3_000)),
    "10,000 elements in each other": Answers(context("<device id='a'>" * 10_000 + "</device>" * 10_000)),
    "a name with control characters": Answers(context(DEVICE.format("a&#10;orientationd: b&#9;&#127;\u009b31m\u202e"))),
    "a name of 1 MB": Answers(context(DEVICE.format("a" * (1 << 20)))),
    "readings of 1e999": Answers(context(DEVICE.format("accel")), b"1e999"),
    "readings that are no numbers": Answers(context(DEVICE.format("accel")), b"nan\x1b[31m"),
    "readings of 18 digits": Answers(context(DEVICE.format("accel")), b"999999999999999999"),
    "readings of 64 kB": Answers(context(DEVICE.format("accel")), b"1" * 65536),
    "readings of nothing": Answers(context(DEVICE.format("accel")), b""),
}


class Iiod:
    """Serves on a port of this machine until it is ended, a thread for each connection."""

    def __init__(self, way):
        self.way = way
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.sensor = "ip:127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        client.settimeout(20)
        try:
            with client, client.makefile("rb") as requests:
                for answer in self.way(request.decode(errors="replace") for request in iter(requests.readline, b"")):
                    client.sendall(answer)
        except (OSError, StopIteration, RuntimeError):
            pass  # the daemon has had enough of it

    def end(self):
        # Wakes up who accepts, too.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
