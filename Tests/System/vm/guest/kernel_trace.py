# SPDX-License-Identifier: Apache-2.0
"""What happens in the kernel and at its border, with times: scans of an IIO device, and a process's waits, reads and messages.

ftrace writes it down, on the boot-time clock like all times here. The process is not stopped at its calls, as a debugger would,
so its speed is nearly the same.
"""
import re
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TRACING = Path("/sys/kernel/tracing")
SYSTEM_CALLS = {"exit": ("ppoll", "poll", "read"), "enter": ("sendmsg",)}
# Three axes have 12 bytes, and the stamp follows at the next multiple of its own size.
SCAN_PROBE = "p:vm/scan iio_push_to_buffers stamp=+16(%si):s64"
LINE = re.compile(r".*-(?P<thread>\d+)\s+\[\d+\]\s+\S+\s+(?P<when>[\d.]+): (?P<what>\w+)(?P<rest>.*)")


@dataclass(frozen=True)
class Event:
    when: float                     # seconds on the boot-time clock; of a scan, its own time stamp
    thread: int
    what: str                       # scan, sys_ppoll, sys_poll, sys_read (when it returned), sys_sendmsg (when it was called)
    result: int = 0                 # what a call returned


class KernelTrace:
    def __init__(self, process):
        self.process = process

    def restart(self):
        """Forget what has happened up to now."""
        (TRACING / "trace").write_text("")

    def events(self):
        """What has happened since, in the order of time."""
        found = (LINE.match(line) for line in (TRACING / "trace").read_text().splitlines() if not line.startswith("#"))
        return sorted((_event(match) for match in found if match), key=lambda event: event.when)


def _event(match):
    when, what, rest = float(match["when"]), match["what"], match["rest"]
    if what == "scan":
        when = int(rest.rpartition("stamp=")[2]) / 1e9
    result = int(rest.removeprefix(" -> "), 16) if rest.startswith(" -> ") else 0
    return Event(when, int(match["thread"]), what, result)


@contextmanager
def traced(process):
    """Needs an IIO device, whose driver has loaded the module that is probed. The process has all its threads already."""
    if not (TRACING / "trace").exists():
        subprocess.run(["mount", "-t", "tracefs", "tracefs", str(TRACING)], check=True)
    (TRACING / "trace_clock").write_text("boot")
    (TRACING / "kprobe_events").write_text(SCAN_PROBE)
    threads = " || ".join(f"common_pid == {thread.name}" for thread in Path(f"/proc/{process}/task").iterdir())
    switches = [TRACING / "events/vm/scan/enable"]
    for side, calls in SYSTEM_CALLS.items():
        for call in calls:
            event = TRACING / f"events/syscalls/sys_{side}_{call}"
            (event / "filter").write_text(threads)
            switches.append(event / "enable")
    try:
        for switch in switches:
            switch.write_text("1")
        yield KernelTrace(process)
    finally:
        for switch in switches:
            switch.write_text("0")
        # Else the module stays in use.
        (TRACING / "kprobe_events").write_text("")
