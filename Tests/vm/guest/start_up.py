# SPDX-License-Identifier: Apache-2.0
"""How long a service takes from its process's start until it is ready, as systemd stamps both."""
from pathlib import Path

from systemd_service import SystemdService

C_PROGRAM = Path(__file__).parent / "readiness"
RUNS = 10


def times(service):
    """Seconds, for each of some starts. What the unit confines is set up within them."""
    return tuple(_once(service) for _ in range(RUNS))


def times_of_c_program():
    """Of the least program that does as much, in the daemon's place and under its unit."""
    service = SystemdService("orientationd")
    service.stop()
    service.override("Service", ExecStart=["", str(C_PROGRAM)])
    try:
        return times(service)
    finally:
        service.stop()
        service.remove_override()


def _once(service):
    service.start_afresh()
    forked, ready = (int(service.show(f"{moment}TimestampMonotonic")) for moment in ("ExecMainStart", "ActiveEnter"))
    service.stop()
    return (ready - forked) / 1e6
