# SPDX-License-Identifier: Apache-2.0
"""The resources that a process uses, as the kernel counts them."""
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Memory:
    """kB, and the number of threads."""
    resident: int
    proportional: int
    anonymous: int
    private_dirty: int
    threads: int


@dataclass(frozen=True)
class Work:
    """What a process has done. It wakes up after it has waited; when another process takes its processor, it does not."""
    cpu_seconds: float
    wake_ups: int


def _fields(path):
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return {words[0].rstrip(":"): words[1] for words in lines if len(words) > 1}


def memory(process):
    """Summed over the mappings: the counters in status (VmRSS, RssAnon) lag by up to 64 pages for each thread."""
    status, rollup = _fields(f"/proc/{process}/status"), _fields(f"/proc/{process}/smaps_rollup")
    return Memory(resident=int(rollup["Rss"]), proportional=int(rollup["Pss"]), anonymous=int(rollup["Anonymous"]),
                  private_dirty=int(rollup["Private_Dirty"]), threads=int(status["Threads"]))


class WorkCounter:
    """What a process does from now on, in all the threads that live on until it is asked."""

    def __init__(self, process):
        self._process = process
        self._before = self._of_threads()

    @property
    def work(self):
        now = self._of_threads()
        pairs = [(work, self._before.get(thread, Work(0, 0))) for thread, work in now.items()]
        return Work(sum(after.cpu_seconds - before.cpu_seconds for after, before in pairs),
                    sum(after.wake_ups - before.wake_ups for after, before in pairs))

    def _of_threads(self):
        """schedstat counts nanoseconds, where stat counts ticks of 10 ms."""
        work = {}
        for thread in Path(f"/proc/{self._process}/task").iterdir():
            try:
                work[thread.name] = Work(int((thread / "schedstat").read_text().split()[0]) / 1e9,
                                         int(_fields(thread / "status")["voluntary_ctxt_switches"]))
            except (FileNotFoundError, ProcessLookupError):     # it ended meanwhile
                continue
        return work


def open_files(process):
    """What its descriptors are."""
    found = []
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            found.append(str(descriptor.readlink()))
        except FileNotFoundError:   # closed meanwhile
            continue
    return sorted(found)


def whereabouts(process):
    """Where in the kernel each thread is, in words; nothing of a process that has ended."""
    found = []
    for thread in sorted(Path(f"/proc/{process}/task").glob("*")):
        try:
            name, state = (thread / "comm").read_text().strip(), _fields(thread / "status")["State"]
            calls = " < ".join(line.split()[-1] for line in (thread / "stack").read_text().splitlines()[:8])
            found.append(f"{name} ({state}): {calls}")
        except OSError:             # it ended meanwhile
            continue
    return found
