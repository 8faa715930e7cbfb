#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""dfuzz.py DAEMON SECONDS: calls all members of the running daemon, as another user, with random values.

It works like dfuzzer, which Debian does not have: the objects, interfaces, methods and properties come from introspection,
and each is called with arguments of the right types and of others. The daemon must survive, answer in time, take no more
memory and no more descriptors, and write nothing to its log after the start.
"""

import os
import pwd
import random
import sys
import time
import xml.etree.ElementTree

import dbus

from service import NAME, Service

WORDS = [
    "", "a", "/", "org.orientationd1", "org.orientationd1.Screen", "Orientation", "RotationLocked", "%s%n",
    "\u202e\U0001f4f1", "a" * 65536,
]
NUMBERS = [0, 1, 2, 3, 4, 5, 30, 31, 127, 128, 255, 256, 32767, 32768, 65535]
NUMBERS += [2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1]
TYPES = ["y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "v", "as", "au", "a{sv}", "(us)"]
LATE = {f"org.freedesktop.DBus.Error.{name}" for name in ("NoReply", "Timeout", "ServiceUnknown")}
BITS = {"y": (8, 0), "n": (16, 1), "q": (16, 0), "i": (32, 1), "u": (32, 0), "x": (64, 1), "t": (64, 0)}
MEMORY_NOISE = 512


def value(kind, chance):
    """A value of a D-Bus type."""
    if kind in BITS:
        bits, is_signed = BITS[kind]
        number = chance.choice(NUMBERS + [chance.getrandbits(64)]) % 2**bits
        return number - 2**bits if is_signed and number >= 2 ** (bits - 1) else number
    if kind == "b":
        return chance.random() < 0.5
    if kind == "d":
        return chance.choice([0.0, -0.0, 1e308, float("inf"), float("nan"), chance.random()])
    if kind == "s":
        text = "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(40)))
        return chance.choice([*WORDS, text])
    if kind == "o":
        return dbus.ObjectPath(chance.choice(["/", "/org/orientationd1", "/a" * 500]))
    if kind == "g":
        return dbus.Signature(chance.choice(["", "a{sv}", "(" * 30 + "u" + ")" * 30]))
    if kind == "v":
        return variant(chance)
    if kind == "a{sv}":
        entries = {value("s", chance): value("v", chance) for _ in range(chance.randrange(20))}
        return dbus.Dictionary(entries, signature="sv")
    if kind.startswith("a"):
        return dbus.Array(
            [value(kind[1:], chance) for _ in range(chance.choice([0, 1, 2, 1000]))], signature=kind[1:])
    return (value("u", chance), value("s", chance))


def variant(chance):
    """A variant, with variants in it now and then."""
    types = {
        "y": dbus.Byte, "b": dbus.Boolean, "n": dbus.Int16, "q": dbus.UInt16, "i": dbus.Int32, "u": dbus.UInt32,
        "x": dbus.Int64, "t": dbus.UInt64, "d": dbus.Double, "s": dbus.String, "o": dbus.ObjectPath,
        "g": dbus.Signature,
    }
    kind = chance.choice(list(types))
    return types[kind](value(kind, chance), variant_level=chance.choice([1, 1, 2, 30]))


def members(client, path="/"):
    """Every (path, interface, method, types of its arguments), and every (path, interface, property)."""
    text = client.call_blocking(NAME, path, "org.freedesktop.DBus.Introspectable", "Introspect", "", [])
    methods, properties = [], []
    node = xml.etree.ElementTree.fromstring(text)
    for interface in node.findall("interface"):
        name = interface.get("name")
        for method in interface.findall("method"):
            types = [each.get("type") for each in method.findall("arg") if each.get("direction", "in") == "in"]
            methods.append((path, name, method.get("name"), types))
        properties += [(path, name, each.get("name")) for each in interface.findall("property")]
    for child in node.findall("node"):
        below = members(client, f"{path.rstrip('/')}/{child.get('name')}")
        methods += below[0]
        properties += below[1]
    return methods, properties


def step(client, methods, properties, chance):
    """One call; the name of the error, or an empty text."""
    path, interface, member, types = chance.choice(methods)
    if chance.random() < 0.3:
        path, owner, name = chance.choice(properties)
        interface, member = "org.freedesktop.DBus.Properties", chance.choice(["Get", "GetAll", "Set"])
        types = {"Get": ["s", "s"], "GetAll": ["s"], "Set": ["s", "s", "v"]}[member]
        arguments = [owner, name, value("v", chance)][: len(types)]
    else:
        if chance.random() < 0.3:
            types = chance.choices(TYPES, k=chance.randrange(6))
        arguments = [value(kind, chance) for kind in types]
    try:
        client.call_blocking(NAME, path, interface, member, "".join(types), arguments, timeout=20)
        return ""
    except dbus.DBusException as error:
        return error.get_dbus_name()


def fuzz(service, seconds):
    """Fuzzes as another user where this one is root; prints what came back."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.setgroups([])
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)
    chance = random.Random(seconds)
    client = service.connect()
    methods, properties = members(client)
    print(f"user {os.geteuid()}: {len(methods)} methods, {len(properties)} properties")
    answers = {}
    end = time.monotonic() + seconds
    calls = 0
    while time.monotonic() < end:
        answer = step(client, methods, properties, chance)
        answers[answer] = answers.get(answer, 0) + 1
        calls += 1
        if calls % 1000 == 0:  # a client that leaves, whatever it has begun
            client.close()
            client = service.connect()
    print(f"{calls} calls:")
    for name, count in sorted(answers.items(), key=lambda each: -each[1]):
        print(f"  {count:8} {name or 'answered'}")
    sys.stdout.flush()
    os._exit(1 if LATE & answers.keys() else 0)


def main():
    seconds = int(sys.argv[2])
    service = Service(sys.argv[1])
    at_start = service.log
    worker = os.fork()
    if worker == 0:
        fuzz(service, seconds)
    time.sleep(seconds / 10)
    before = (service.memory(), service.descriptors())
    _, status = os.waitpid(worker, 0)
    problems = [] if status == 0 else ["a call was not answered in time, or the client failed"]
    if service.daemon.poll() is not None:
        raise SystemExit(f"dfuzz: the daemon ended with {service.daemon.returncode}: {service.log}")
    time.sleep(2)
    after = (service.memory(), service.descriptors())
    print(
        f"memory {before[0]} kB after a tenth of the time, {after[0]} kB at the end; "
        f"descriptors {before[1]}, {after[1]}")
    if after[0] > before[0] + MEMORY_NOISE or after[1] > before[1] + 3:
        problems.append("the daemon has grown")
    news = service.log[len(at_start):]
    if news:
        problems.append("lines in the log:\n" + "\n".join(news))
    if service.end() != 0:
        problems.append("the daemon did not end in order")
    service.remove()
    if problems:
        raise SystemExit("dfuzz: " + "\ndfuzz: ".join(problems))


if __name__ == "__main__":
    main()
