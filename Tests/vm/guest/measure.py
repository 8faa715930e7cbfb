# SPDX-License-Identifier: Apache-2.0
"""The daemon beside Debian's iio-sensor-proxy: memory, work and latency in the same guest.

Each in turn, since they would share the sensor's buffer: a fresh HID sensor hub, one client that
claims the accelerometer, a series of quarter turns, then a time at rest.
"""
import random
import time
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Callable

import iio_device
import process_figures
from bus import RemoteObject, SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from incumbent import CLAIM, is_called, sensor_proxy_interface
from measurement_report import Figures, print_report
from orientationd_case import BEGIN, device_interface
from poses import LANDSCAPE_RIGHT, ONE_TURN
from systemd_service import SystemdService

TURNS = 30
SETTLE = 3                          # seconds from the claim to the first turn, and before the rest
REST = 15                           # seconds over which work is counted
SIGNAL_TIMEOUT = 5


@dataclass(frozen=True)
class Subject:
    name: str
    remote: RemoteObject
    claim: str
    says: Callable                  # (pose) -> (signal) -> whether it announces that pose


def orientationd():
    def says(pose):
        return lambda signal: signal.member == "OrientationDidChange" and signal.arguments[0] == pose.orientation
    return Subject("orientationd", device_interface(), BEGIN, says)


def iio_sensor_proxy():
    return Subject("iio-sensor-proxy", sensor_proxy_interface(), CLAIM, is_called)


class LostTurn(Exception):
    pass


def measure(subject):
    # The host takes a guest that is silent for two minutes for dead.
    print(f"  {subject.name} ...", flush=True)
    hub = HidSensorHub()
    hub.hold(LANDSCAPE_RIGHT)
    hub.plug()
    service = SystemdService(subject.name)
    try:
        iio_device.wait_for(hub.iio_name)
        service.start_afresh()
        with SignalMonitor(subject.remote.service) as signals, BusClient(subject.remote) as client:
            client.call(subject.claim)
            time.sleep(SETTLE)
            latencies = [turn(subject, hub, signals, pose) for pose in islice(cycle(ONE_TURN), TURNS)]
        # A fresh client and no monitor: what the monitor makes the bus do is not the daemon's work.
        with BusClient(subject.remote) as client:
            client.call(subject.claim)
            time.sleep(SETTLE)
            return figures_at_rest(subject, service, hub, latencies)
    finally:
        service.stop()
        hub.unplug()
        iio_device.wait_for_none(hub.iio_name)


def turn(subject, hub, signals, pose):
    """Seconds from the turn, and from the first report of it, to the signal."""
    # At any phase of the sampling; and as a person does it, who looks at the screen before the next turn. Turned to and
    # fro without a rest, a tablet is being played with, and orientationd waits longer on purpose.
    time.sleep(random.uniform(1, 1.5))
    position = signals.position
    turned_at = hub.hold(pose)
    signal = signals.wait_for(subject.says(pose), position, SIGNAL_TIMEOUT)
    if signal is None:
        raise LostTurn(f"{subject.name} said nothing of the turn to {pose.name}")
    received = signal.received - time.time() + time.clock_gettime(time.CLOCK_BOOTTIME)
    return received - turned_at, received - hub.pose_reported_at


def figures_at_rest(subject, service, hub, latencies):
    process = service.process
    before, began, sent = process_figures.work(process), time.monotonic(), hub.reports_sent
    time.sleep(REST)
    work, lasted = process_figures.work(process) - before, time.monotonic() - began
    from_turn, from_report = zip(*latencies)
    return Figures(subject.name, process_figures.memory(process),
                   report_rate=(hub.reports_sent - sent) / lasted,
                   cpu_milliseconds_per_minute=work.cpu_seconds * 1000 * 60 / lasted,
                   context_switches_per_second=work.context_switches / lasted,
                   turn_to_signal=from_turn, report_to_signal=from_report)


def main(with_daemon):
    print(f"\nmeasuring: {TURNS} quarter turns and {REST} s at rest each ...", flush=True)
    peer = measure(iio_sensor_proxy())
    own = measure(orientationd()) if with_daemon else None
    print_report(own, peer)
