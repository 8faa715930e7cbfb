# SPDX-License-Identifier: Apache-2.0
"""The measured figures as a table, with their requirements."""
import statistics
from dataclasses import dataclass

from process_figures import Memory

MEDIAN_LATENCY_LIMIT = 400          # ms
START_UP_LIMIT = 150                # ms beyond the program in C


@dataclass(frozen=True)
class Rest:
    """What a daemon does while the tablet lies still. A wake-up is a context switch of any of its threads."""
    cpu_milliseconds_per_minute: float
    wake_ups_per_second: float
    report_rate: float              # reports a second that the sensor made; None where it makes none


@dataclass(frozen=True)
class Figures:
    name: str
    memory: Memory
    hub: Rest
    plain_hub: Rest                 # without change sensitivity
    turn_to_signal: tuple           # seconds, one for each turn
    report_to_signal: tuple
    chip_turn_to_signal: tuple
    chip: Rest = None               # at the same time as the other daemon
    plain_hub_long: Rest = None     # after half a minute of rest
    motion_chip: Rest = None        # a chip that reports motion through an interrupt
    idle_wake_ups: int = 0          # in a minute in which nobody listens
    start_up: tuple = ()            # seconds from the process's start until it is ready, one for each start

    @property
    def median_latency(self):
        """ms, from the turn itself: the sensor's own delay included."""
        return _median(self.turn_to_signal)


@dataclass(frozen=True)
class Fidgeting:
    """What came of turns that came quickly one after another."""
    daemon: str
    sensor: str
    turn_to_signal: tuple           # seconds, one for each turn that was announced before the next
    lost: int                       # those that were not


def _median(seconds):
    return statistics.median(seconds) * 1000


def _p90(seconds):
    return statistics.quantiles(seconds, n=10)[-1] * 1000


def _range(seconds):
    return f"{min(seconds) * 1000:.0f}-{max(seconds) * 1000:.0f}"


def _rest_rows(title, rest):
    return ((f"{title}: wake-ups a second", lambda f: f"{rest(f).wake_ups_per_second:.2f}" if rest(f) else "-"),
            (f"{title}: CPU, ms a minute", lambda f: f"{rest(f).cpu_milliseconds_per_minute:.0f}" if rest(f) else "-"))


ROWS = (
    ("resident memory (RSS), kB", lambda f: f"{f.memory.resident}"),
    ("proportional memory (PSS), kB", lambda f: f"{f.memory.proportional}"),
    ("anonymous memory, kB", lambda f: f"{f.memory.anonymous}"),
    ("private dirty memory, kB", lambda f: f"{f.memory.private_dirty}"),
    ("threads", lambda f: f"{f.memory.threads}"),
    ("nobody listens: wake-ups in 60 s", lambda f: f"{f.idle_wake_ups}"),
    ("process start to readiness, median, ms", lambda f: f"{_median(f.start_up):.0f}"),
    ("process start to readiness, range, ms", lambda f: _range(f.start_up)),
    ("at rest, listened to:", lambda f: ""),
    *_rest_rows("  HID hub", lambda f: f.hub),
    ("  HID hub: sensor reports a second", lambda f: f"{f.hub.report_rate:.1f}"),
    *_rest_rows("  HID hub, insensitive", lambda f: f.plain_hub),
    ("  HID hub, insensitive: reports a second", lambda f: f"{f.plain_hub.report_rate:.1f}"),
    *_rest_rows("  HID hub, insensitive, after 30 s", lambda f: f.plain_hub_long),
    *_rest_rows("  chip on I2C, both at once", lambda f: f.chip),
    *_rest_rows("  chip with an interrupt", lambda f: f.motion_chip),
    ("from rest, HID hub:", lambda f: ""),
    ("  turn to signal, median, ms", lambda f: f"{f.median_latency:.0f}"),
    ("  turn to signal, 90th percentile, ms", lambda f: f"{_p90(f.turn_to_signal):.0f}"),
    ("  first report to signal, median, ms", lambda f: f"{_median(f.report_to_signal):.0f}"),
    ("  first report to signal, 90th p., ms", lambda f: f"{_p90(f.report_to_signal):.0f}"),
    ("from rest, chip on I2C:", lambda f: ""),
    ("  turn to signal, median, ms", lambda f: f"{_median(f.chip_turn_to_signal):.0f}"),
    ("  turn to signal, 90th percentile, ms", lambda f: f"{_p90(f.chip_turn_to_signal):.0f}"),
)


PROXY_ROWS = (
    ("resident memory (RSS), kB", lambda f: f"{f.memory.resident}"),
    ("anonymous memory, kB", lambda f: f"{f.memory.anonymous}"),
    *_rest_rows("at rest, HID hub", lambda f: f.hub),
    *_rest_rows("at rest, chip on I2C", lambda f: f.chip),
    ("HID hub: turn to signal, median, ms", lambda f: f"{f.median_latency:.0f}"),
    ("chip on I2C: turn to signal, median, ms", lambda f: f"{_median(f.chip_turn_to_signal):.0f}"),
)


def print_report(own, peer, starts_in_c):
    """`own` may be None: the rig alone. `starts_in_c`: seconds, of the least program in C and of that with libiio."""
    _print_table(ROWS, [figures for figures in (own, peer) if figures])
    if own:
        print()
        for name, seconds in zip(("the least C program", "the same with libiio"), starts_in_c):
            print(f"{name}, under orientationd's unit: process start to readiness, median {_median(seconds):.0f} ms, "
                  f"range {_range(seconds)} ms")
        print()
        _print_requirements(own, peer, starts_in_c[0])
    print(flush=True)


def print_proxy_report(own, peer):
    """Beside each other as a desktop has them: one client, which has claimed the accelerometer of net.hadess.SensorProxy."""
    print("\nto a client that has called net.hadess.SensorProxy.ClaimAccelerometer:")
    _print_table(PROXY_ROWS, [own, peer])
    print(flush=True)


def print_fidget_report(series):
    """Milliseconds from the turn to the signal, all of them, as one late turn is what a person remembers."""
    print(f"\n{'turns one after another':38}{'median':>8}{'90th p.':>8}{'slowest':>8}{'lost':>6}")
    for one in series:
        print(f"{one.daemon + ', ' + one.sensor:38}{_median(one.turn_to_signal):8.0f}{_p90(one.turn_to_signal):8.0f}"
              f"{max(one.turn_to_signal) * 1000:8.0f}{one.lost:6}")
        print("  " + " ".join(f"{seconds * 1000:.0f}" for seconds in one.turn_to_signal))
    print(flush=True)


def _print_table(rows, columns):
    print(f"\n{'':46}" + "".join(f"{figures.name:>18}" for figures in columns))
    for title, text in rows:
        print(f"{title:46}" + "".join(f"{text(figures):>18}" for figures in columns))


def _print_requirements(own, peer, start_up_in_c):
    """Reported, not asserted: under emulation, latency depends on what else the host does."""
    _require("resident memory", own.memory.resident, peer.memory.resident, "kB")
    _require("anonymous memory", own.memory.anonymous, peer.memory.anonymous, "kB")
    _require("median latency from turn to signal", own.median_latency, MEDIAN_LATENCY_LIMIT, "ms")
    _require("wake-ups in 60 s while nobody listens", own.idle_wake_ups, 0, "")
    _require("start-up beyond the C program's", _median(own.start_up) - _median(start_up_in_c), START_UP_LIMIT, "ms")
    for sensor, mine, its in (("HID hub", own.hub, peer.hub), ("chip on I2C", own.chip, peer.chip)):
        _require(f"CPU a minute at rest, {sensor}", mine.cpu_milliseconds_per_minute,
                 its.cpu_milliseconds_per_minute, "ms")


def _require(what, value, limit, unit):
    print(f"  {'PASS' if value <= limit else 'FAIL'}  {what}: {value:.0f} {unit}, required at most {limit:.0f} {unit}")
