# SPDX-License-Identifier: Apache-2.0
"""The measured figures as a table, and what is required of them."""
import statistics
from dataclasses import dataclass

from process_figures import Memory

MEDIAN_LATENCY_LIMIT = 400          # ms


@dataclass(frozen=True)
class Figures:
    name: str
    memory: Memory
    report_rate: float              # reports a second that the sensor made
    cpu_milliseconds_per_minute: float
    context_switches_per_second: float
    turn_to_signal: tuple           # seconds, one for each turn
    report_to_signal: tuple

    @property
    def median_latency(self):
        """ms, from the turn itself: the sensor's own delay included."""
        return statistics.median(self.turn_to_signal) * 1000


def _p90(values):
    return statistics.quantiles(values, n=10)[-1]


ROWS = (
    ("resident memory (RSS), kB", lambda f: f"{f.memory.resident}"),
    ("proportional memory (PSS), kB", lambda f: f"{f.memory.proportional}"),
    ("anonymous memory (RssAnon), kB", lambda f: f"{f.memory.anonymous}"),
    ("private dirty memory, kB", lambda f: f"{f.memory.private_dirty}"),
    ("threads", lambda f: f"{f.memory.threads}"),
    ("sensor reports a second", lambda f: f"{f.report_rate:.1f}"),
    ("CPU at rest, ms a minute", lambda f: f"{f.cpu_milliseconds_per_minute:.0f}"),
    ("context switches at rest, a second", lambda f: f"{f.context_switches_per_second:.2f}"),
    ("turn to signal, median, ms", lambda f: f"{f.median_latency:.0f}"),
    ("turn to signal, 90th percentile, ms", lambda f: f"{_p90(f.turn_to_signal) * 1000:.0f}"),
    ("first report to signal, median, ms", lambda f: f"{statistics.median(f.report_to_signal) * 1000:.0f}"),
    ("first report to signal, 90th p., ms", lambda f: f"{_p90(f.report_to_signal) * 1000:.0f}"),
)


def print_report(own, peer):
    """`own` may be None: the rig alone."""
    columns = [figures for figures in (own, peer) if figures]
    print(f"\n{'':38}" + "".join(f"{figures.name:>18}" for figures in columns))
    for title, text in ROWS:
        print(f"{title:38}" + "".join(f"{text(figures):>18}" for figures in columns))
    if own:
        print()
        _print_requirements(own, peer)
    print(flush=True)


def _print_requirements(own, peer):
    """Reported, not asserted: under emulation, latency depends on what else the host does."""
    _require("resident memory", own.memory.resident, peer.memory.resident, "kB")
    _require("anonymous memory", own.memory.anonymous, peer.memory.anonymous, "kB")
    _require("median latency from turn to signal", own.median_latency, MEDIAN_LATENCY_LIMIT, "ms")


def _require(what, value, limit, unit):
    print(f"  {'PASS' if value <= limit else 'FAIL'}  {what}: {value:.0f} {unit}, required at most {limit:.0f} {unit}")
