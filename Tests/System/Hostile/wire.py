# SPDX-License-Identifier: Apache-2.0
"""D-Bus's wire format, valid and invalid: values to bytes and back, by signatures.

A variant is a pair of signature and value, a dictionary is a list of pairs.
"""

import struct

NUMBERS = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "b": "I", "h": "I"}
ALIGNMENTS = {"s": 4, "o": 4, "a": 4, "g": 1, "v": 1, "(": 8, "{": 8} | {
    code: struct.calcsize(number) for code, number in NUMBERS.items()}


def first_type(signature):
    """The first complete type of a signature, and the rest."""
    if signature[0] == "a":
        element, rest = first_type(signature[1:])
        return "a" + element, rest
    if signature[0] not in "({":
        return signature[0], signature[1:]
    depth = 0
    for index, code in enumerate(signature):
        depth += (code in "({") - (code in ")}")
        if depth == 0:
            return signature[: index + 1], signature[index + 1:]
    raise ValueError(f"{signature} does not end")


def types_of(signature):
    while signature:
        kind, signature = first_type(signature)
        yield kind


def pad(data, alignment):
    data.extend(bytes(-len(data) % alignment))


class Writer:
    """Appends values to a bytearray, little endian."""

    def __init__(self):
        self.data = bytearray()

    def write(self, signature, values):
        for kind, value in zip(types_of(signature), values, strict=True):
            self.one(kind, value)
        return self

    def one(self, kind, value):
        code = kind[0]
        pad(self.data, ALIGNMENTS[code])
        if code in NUMBERS:
            self.data += struct.pack("<" + NUMBERS[code], value)
        elif code in "sog":
            text = value if isinstance(value, bytes) else value.encode()
            self.data += struct.pack("<B" if code == "g" else "<I", len(text)) + text + b"\0"
        elif code == "v":
            self.one("g", value[0])
            self.one(value[0], value[1])
        elif code == "a":
            self.array(kind[1:], value)
        else:
            self.write(kind[1:-1], value)

    def array(self, element, values):
        length = len(self.data)
        self.data += bytes(4)
        pad(self.data, ALIGNMENTS[element[0]])
        start = len(self.data)
        if element == "y":
            self.data += bytes(values)
        else:
            for value in values:
                self.one(element, value)
        struct.pack_into("<I", self.data, length, len(self.data) - start)


class Reader:
    """Takes values out of bytes, of either byte order."""

    def __init__(self, data, order="<", offset=0):
        self.data, self.order, self.offset = data, order, offset

    def read(self, signature):
        return [self.one(kind) for kind in types_of(signature)]

    def number(self, code):
        value, = struct.unpack_from(self.order + code, self.data, self.offset)
        self.offset += struct.calcsize(code)
        return value

    def align(self, alignment):
        self.offset += -self.offset % alignment

    def one(self, kind):
        code = kind[0]
        self.align(ALIGNMENTS[code])
        if code in NUMBERS:
            value = self.number(NUMBERS[code])
            return bool(value) if code == "b" else value
        if code in "sog":
            length = self.number("B" if code == "g" else "I")
            text = bytes(self.data[self.offset:self.offset + length])
            self.offset += length + 1
            return text.decode(errors="replace")
        if code == "v":
            signature = self.one("g")
            return signature, self.one(signature)
        if code == "a":
            return self.array(kind[1:])
        return tuple(self.read(kind[1:-1]))

    def array(self, element):
        length = self.number("I")
        self.align(ALIGNMENTS[element[0]])
        end = self.offset + length
        if element == "y":
            value, self.offset = bytes(self.data[self.offset:end]), end
            return value
        values = []
        while self.offset < end:
            values.append(self.one(element))
        return dict(values) if element[0] == "{" else values
