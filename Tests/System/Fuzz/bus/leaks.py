#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""leaks.py DAEMON: checks that 1,000 Begin/End and Claim/Release cycles leak no more than 10: nothing.

The daemon runs under valgrind's memcheck twice. Every tenth client leaves without its End.
"""

import re
import sys

from service import NAME, PATH, Service

# Possibly lost is the sampler's thread's own storage, where that ends later than the process.
KINDS = ["definitely lost", "indirectly lost", "possibly lost", "still reachable"]


PROXY, PROXY_PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"


def begin(client):
    device(client, "Begin")
    for kind in "Accelerometer", "Light":
        client.call_blocking(PROXY, PROXY_PATH, PROXY, f"Claim{kind}", "", [])


def end(client):
    device(client, "End")
    for kind in "Accelerometer", "Light":
        client.call_blocking(PROXY, PROXY_PATH, PROXY, f"Release{kind}", "", [])


def device(client, method):
    client.call_blocking(
        NAME, PATH, "org.orientationd1.Device", f"{method}GeneratingDeviceOrientationNotifications", "", [])


def report(program, cycles):
    """What valgrind counts as lost, bytes and blocks by kind, and the number of its errors."""
    valgrind = ["valgrind", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect"]
    service = Service(program, valgrind)
    for number in range(cycles):
        if number % 10 == 0:
            client = service.connect()
        begin(client)
        if number % 10 == 9:
            client.close()
        else:
            end(client)
    code = service.end()
    text = "\n".join(service.log)
    service.remove()
    if code != 0:
        raise SystemExit(f"{text}\nthe daemon ended with {code}")
    lost = {}
    for kind in KINDS:
        found = re.search(rf"{kind}: ([\d,]+) bytes in ([\d,]+) blocks", text)
        lost[kind] = tuple(int(word.replace(",", "")) for word in found.groups()) if found else (0, 0)
    errors = int(re.search(r"ERROR SUMMARY: (\d+) errors", text)[1])
    allocations = re.search(r"total heap usage: ([\d,]+) allocs", text)[1]
    print(f"{cycles} cycles: {allocations} allocations, {errors} errors; bytes and blocks: {lost}")
    if errors:
        print(text)
    return lost, errors


def main():
    few, few_errors = report(sys.argv[1], 10)
    many, many_errors = report(sys.argv[1], 1000)
    if few_errors or many_errors or any(many[kind] != (0, 0) for kind in KINDS[:2]):
        raise SystemExit("leaks: something is lost")
    if few["still reachable"][1] != many["still reachable"][1]:
        raise SystemExit("leaks: more cycles leave more blocks")


if __name__ == "__main__":
    main()
