# SPDX-License-Identifier: Apache-2.0
"""The time from the start of a service's process until it is ready, from systemd's time stamps of both.

This time includes the set-up of the unit's confinement. So the daemon is compared with the minimal C program that takes a bus name
and is ready, run under the daemon's own unit, and with the same program linked to the daemon's libraries.
"""
import re
from pathlib import Path

from systemd_service import SystemdService, systemctl

C_PROGRAMS = ("readiness", "readiness-libiio")
UNIT = Path("/usr/lib/systemd/system/orientationd.service")


def times(names, starts):
    """For each service, the seconds of some starts: one of each in turn, so that what the host does falls upon all alike."""
    services = [SystemdService(name) for name in names]
    for service in services:
        service.stop()
    rounds = []
    for number in range(starts):
        # The host takes a guest that is silent for two minutes for dead.
        print(f"  starting each, {number + 1} of {starts} ...", flush=True)
        rounds.append([_once(service) for service in services])
    return list(zip(*rounds))


def install_c_programs():
    """The names of their services."""
    # systemd loads no second unit with a bus name, and a socket belongs to one service.
    unit = re.sub("^(BusName|Sockets)=.*\n", "", UNIT.read_text(), flags=re.MULTILINE)
    for name in C_PROGRAMS:
        Path(f"/run/systemd/system/{name}.service").write_text(
            re.sub("^ExecStart=.*", f"ExecStart={Path(__file__).parent / name}", unit, flags=re.MULTILINE))
    systemctl("daemon-reload")
    return list(C_PROGRAMS)


def _once(service):
    service.start_afresh()
    forked, ready = (int(service.show(f"{moment}TimestampMonotonic")) for moment in ("ExecMainStart", "ActiveEnter"))
    service.stop()
    return (ready - forked) / 1e6
