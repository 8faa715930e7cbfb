#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether a proxy of dasbus has each member of the interface that its description has, under the member's own name.

dasbus_proxy.py XML: the proxy gets its members from the description instead of a service.
"""
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from dasbus.client.proxy import ObjectProxy
from dasbus.specification import DBusSpecification
from gi.repository import Gio


class Handler:
    """The place of the service."""

    def __init__(self, specification):
        self.specification = specification

    def create_member(self, interface, name):
        return self.specification.get_member(interface, name)


def main():
    description = Path(sys.argv[1]).read_text()
    # A service of dasbus reads it so.
    Gio.DBusNodeInfo.new_for_xml(description)
    handler = Handler(DBusSpecification.from_xml(description))
    proxy = ObjectProxy(None, None, None, handler_factory=lambda *_: handler)
    for interface in ElementTree.fromstring(description.encode()).iter("interface"):
        for member in interface:
            if member.tag in ("method", "property", "signal"):
                name = member.get("name")
                got = getattr(proxy, name)
                kind = type(got).__name__.lower()
                if (kind, got.interface_name) != (member.tag, interface.get("name")):
                    sys.exit(f"{name}: the {member.tag} of {interface.get('name')} is hidden by another member")


if __name__ == "__main__":
    main()
