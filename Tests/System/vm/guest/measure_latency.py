# SPDX-License-Identifier: Apache-2.0
"""Where the time goes from a turn of a tablet at rest on a sensor hub to the signal, stage by stage.

The hub is turned at once, and smoothly as by a hand; and a hub that reports all the time, whose interval the daemon makes longer
at rest. The kernel's trace shows when it had the report as a scan, when the daemon read that, and when it sent the signal; the
signal itself contains the time of the sample that decided.
"""
import random
import statistics
import time
from dataclasses import dataclass
from itertools import cycle, islice

import kernel_trace
from hid_sensor_hub import HEEDS_SENSITIVITY, STREAMS, HidSensorHub
from measure_turns import followed
from orientationd_case import boot_time, orientation_signal
from poses import ONE_TURN
from systemd_service import SystemdService

TURNS = 30
SMOOTH = 0.15                       # seconds
SIGNAL_TIMEOUT = 10
EVENTFD_SIZE = 8                    # bytes that a read of an eventfd returns; a scan has more


@dataclass(frozen=True)
class Stages:
    """Seconds, and what the classifier had until it decided."""
    report: float                   # from the turn to the hub's first report of it
    scan: float                     # from there to the scan's time stamp
    read: float                     # from there until the daemon has read the scan
    decision: float                 # from the scan's time stamp to that of the sample that decided
    sending: float                  # from there until the daemon sends the signal
    delivery: float                 # from there until the signal has arrived
    turn_to_signal: float
    reports: int                    # samples that the hub reported, up to the one that decided
    repetitions: int                # samples that repeat the last report, because the hub was silent


def main(_with_daemon):
    for name, firmware, duration in (("reports changes, turned at once", HEEDS_SENSITIVITY, 0),
                                     (f"reports changes, turned in {SMOOTH:.2f} s", HEEDS_SENSITIVITY, SMOOTH),
                                     ("reports all the time, turned at once", STREAMS, 0),
                                     (f"reports all the time, turned in {SMOOTH:.2f} s", STREAMS, SMOOTH)):
        hub = HidSensorHub(firmware=firmware)
        with followed(hub, hold_node=False) as signals, kernel_trace.traced(SystemdService("orientationd").process) as trace:
            turns = []
            for number, pose in enumerate(islice(cycle(ONE_TURN), TURNS)):
                # The host takes a guest that is silent for two minutes for dead.
                if number % 10 == 0:
                    print(f"  {name}: turn {number} ...", flush=True)
                turns.append(turn(hub, signals, trace, pose, duration))
        report(name, [stages for stages in turns if stages])


def turn(hub, signals, trace, pose, duration):
    """None where nothing was told of it, or the trace lacks a part."""
    # It needs a second to be at rest, and takes longer if the last rest was short.
    time.sleep(random.uniform(4, 5))
    trace.restart()
    position, turned_at = signals.position, hub.hold(pose, over=duration)
    signal = signals.wait_for(orientation_signal(pose.orientation), position, SIGNAL_TIMEOUT)
    if signal is None:
        print(f"  the turn to {pose.name} was not told of in {SIGNAL_TIMEOUT} s", flush=True)
        return None
    received = signal.received - time.time() + boot_time()
    try:
        return stages(trace, turned_at, hub.reported_at, signal.arguments[2] / 1e6, received)
    except StopIteration:
        print(f"  the turn to {pose.name} is not complete in the kernel's trace", flush=True)
        return None


def stages(trace, turned_at, reported_at, decided_at, received):
    events = trace.events()

    def first(what, since, thread=None, least=0):
        return next(event for event in events if event.what == what and event.when >= since and event.result >= least
                    and (thread is None or event.thread == thread))

    scan = first("scan", reported_at)
    read = first("sys_read", scan.when, least=EVENTFD_SIZE + 1)
    sent = first("sys_sendmsg", decided_at, thread=trace.process)
    # A time stamp in the signal has whole microseconds.
    reports = [event for event in events if event.what == "scan" and scan.when <= event.when <= decided_at + 1e-6]
    repetitions = [event for event in events if event.what == "sys_ppoll" and event.thread == read.thread and event.result == 0
                   and read.when <= event.when <= decided_at]
    return Stages(reported_at - turned_at, scan.when - reported_at, read.when - scan.when, decided_at - scan.when,
                  sent.when - decided_at, received - sent.when, received - turned_at, len(reports), len(repetitions))


ROWS = (
    ("turn to the hub's report of it", "report"),
    ("report to the kernel's scan", "scan"),
    ("scan to the deciding sample", "decision"),
    ("deciding sample to the daemon's message", "sending"),
    ("message to its arrival", "delivery"),
    ("turn to signal", "turn_to_signal"),
    ("within these: scan to the daemon's read of it", "read"),
)


def report(name, turns):
    print(f"\nhub that {name}: {len(turns)} of {TURNS} turns, milliseconds{'median':>15}{'90th p.':>9}{'longest':>9}")
    for title, field in ROWS:
        values = [getattr(stages, field) * 1000 for stages in turns]
        print(f"  {title:50}{statistics.median(values):9.1f}{statistics.quantiles(values, n=10)[-1]:9.1f}{max(values):9.1f}")
    for title, field in (("samples that the hub reported, until the decision", "reports"),
                         ("samples that repeat the last report", "repetitions")):
        values = [getattr(stages, field) for stages in turns]
        print(f"  {title:50}{statistics.median(values):9.0f}{statistics.quantiles(values, n=10)[-1]:9.0f}{max(values):9}")
    print(flush=True)
