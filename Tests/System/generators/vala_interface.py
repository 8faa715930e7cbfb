#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Print the interfaces of a description in Vala, for valac to judge their names. All types are Variant.

vala_interface.py XML: Vala names members in snake case, so the method GetNAME meets the getter of the property NAME.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def snake_case(name):
    return "@" + re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def parameters(member):
    names = [snake_case(argument.get("name")) for argument in member.iter("arg")]
    ways = ["out " if argument.get("direction") == "out" else "" for argument in member.iter("arg")]
    return ", ".join(f"{way}GLib.Variant {name}" for way, name in zip(ways, names))


def declaration(member):
    name = snake_case(member.get("name"))
    if member.tag == "property":
        access = member.get("access")
        accessors = ("owned get; " if "read" in access else "") + ("set; " if "write" in access else "")
        return f"public abstract GLib.Variant {name} {{ {accessors}}}"
    if member.tag == "method":
        return f"public abstract void {name}({parameters(member)}) throws GLib.Error;"
    return f"public signal void {name}({parameters(member)});"


def main():
    for interface in ElementTree.parse(sys.argv[1]).getroot().iter("interface"):
        name = interface.get("name")
        print(f'[DBus (name = "{name}")]\npublic interface {name.rpartition(".")[2]}Members : GLib.Object {{')
        for member in interface:
            if member.tag in ("method", "property", "signal"):
                print(f"  {declaration(member)}")
        print("}")
    print("int main() { return 0; }")


if __name__ == "__main__":
    main()
