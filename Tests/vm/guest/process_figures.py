# SPDX-License-Identifier: Apache-2.0
"""What a process costs, as the kernel counts it."""
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
    """Since the process began."""
    cpu_seconds: float
    context_switches: int

    def __sub__(self, earlier):
        return Work(self.cpu_seconds - earlier.cpu_seconds, self.context_switches - earlier.context_switches)


def _fields(path):
    lines = (line.split() for line in Path(path).read_text().splitlines())
    return {words[0].rstrip(":"): words[1] for words in lines if len(words) > 1}


def memory(process):
    """Summed over the mappings: the counters in status (VmRSS, RssAnon) lag by up to 64 pages for each thread."""
    status, rollup = _fields(f"/proc/{process}/status"), _fields(f"/proc/{process}/smaps_rollup")
    return Memory(resident=int(rollup["Rss"]), proportional=int(rollup["Pss"]), anonymous=int(rollup["Anonymous"]),
                  private_dirty=int(rollup["Private_Dirty"]), threads=int(status["Threads"]))


def open_files(process):
    """What its descriptors are."""
    found = []
    for descriptor in Path(f"/proc/{process}/fd").iterdir():
        try:
            found.append(str(descriptor.readlink()))
        except FileNotFoundError:   # closed meanwhile
            continue
    return sorted(found)


def work(process):
    """Of the threads that live now. schedstat counts nanoseconds, where stat counts ticks of 10 ms."""
    threads = list(Path(f"/proc/{process}/task").iterdir())
    nanoseconds = sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)
    switches = sum(int(value) for thread in threads for name, value in _fields(thread / "status").items()
                   if name.endswith("_ctxt_switches"))
    return Work(nanoseconds / 1e9, switches)
