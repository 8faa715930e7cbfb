# SPDX-License-Identifier: Apache-2.0
"""A D-Bus message: what a client can put into it, and how the receiver parses the bytes."""

import dataclasses
import struct

from wire import Reader, Writer, pad

CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
NO_REPLY, NO_AUTO_START, INTERACTIVE = 1, 2, 4
FIELDS = {
    "path": (1, "o"), "interface": (2, "s"), "member": (3, "s"), "error": (4, "s"), "reply_serial": (5, "u"),
    "destination": (6, "s"), "sender": (7, "s"), "signature": (8, "g"), "descriptor_count": (9, "u"),
}
NAMES = {code: name for name, (code, _) in FIELDS.items()}
FIXED_HEADER = 16


@dataclasses.dataclass
class Message:
    """`fields` are more header fields, (code, signature, value); `raw_body` goes before `body`."""

    kind: int = CALL
    path: str = None
    interface: str = None
    member: str = None
    error: str = None
    reply_serial: int = None
    destination: str = None
    sender: str = None
    signature: str = None
    descriptor_count: int = None
    body: tuple = ()
    raw_body: bytes = None
    flags: int = 0
    serial: int = 0
    fields: tuple = ()

    def encoded(self, serial):
        body = self.raw_body
        if body is None:
            body = Writer().write(self.signature or "", self.body).data
        known = [(code, (kind, getattr(self, name))) for name, (code, kind) in FIELDS.items()
                 if getattr(self, name) is not None]
        writer = Writer()
        writer.write("yyyyuua(yv)", [ord("l"), self.kind, self.flags, 1, len(body), serial,
                                     known + [(code, (kind, value)) for code, kind, value in self.fields]])
        pad(writer.data, 8)
        return bytes(writer.data + body)


def with_serial(data, serial):
    """The same bytes as another message: for floods, which have no time to make each anew."""
    return data[:8] + struct.pack("<I", serial) + data[12:]


def expected_length(data):
    """How long the message is that some bytes begin; None where they are too few to tell."""
    if len(data) < FIXED_HEADER:
        return None
    order = "<" if data[0] == ord("l") else ">"
    body, = struct.unpack_from(order + "I", data, 4)
    fields, = struct.unpack_from(order + "I", data, 12)
    return FIXED_HEADER + fields + (-fields % 8) + body


def decoded(data):
    order = "<" if data[0] == ord("l") else ">"
    reader = Reader(data, order)
    _, kind, flags, _, length, serial, fields = reader.read("yyyyuua(yv)")
    values = {NAMES[code]: value for code, (_, value) in fields if code in NAMES}
    unknown = tuple((code, *value) for code, value in fields if code not in NAMES)
    reader = Reader(data[len(data) - length:], order)
    message = Message(kind=kind, flags=flags, serial=serial, fields=unknown, **values)
    message.body = tuple(reader.read(message.signature or ""))
    return message
