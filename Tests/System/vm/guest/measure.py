# SPDX-License-Identifier: Apache-2.0
"""The daemon compared with Debian's iio-sensor-proxy: memory, work and latency in the same guest.

They run one after the other, because they would share the sensor's buffer, and on each kind of sensor: a client claims the
accelerometer, then come a series of quarter turns and a time at rest. At the end both run at once, where they do not disturb each
other: at rest on a chip that is polled, and without subscribers.
"""
import random
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Callable

import iio_device
import process_figures
import sensor_proxy_install
import start_up
from bus import RemoteObject, SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import STREAMS, HidSensorHub
from i2c_chip import I2CChip
from i2c_kionix_motion_chip import KionixMotionChip
from incumbent import CLAIM, is_called, sensor_proxy_interface
from measurement_report import Figures, Fidgeting, Rest, print_fidget_report, print_proxy_report, print_report
from orientationd_case import BEGIN, device_interface
from poses import LANDSCAPE_RIGHT, ONE_TURN
from systemd_service import SystemdService

SETTLE = 3                          # seconds from the claim to the first turn
SETTLE_DOWN = 6                     # seconds from the claim to the rest: a tablet put down
LONG_AGO = 36                       # the same for a tablet that was put down some time ago: longer than the half minute of orientationd's
IDLE = 60                           # seconds over which wake-ups are counted while nobody listens
SIGNAL_TIMEOUT = 5
QUIET = 60                          # seconds without a line, at most
FIDGETS = 40                        # turns of a person who fidgets, for each daemon on each sensor
FIDGET_SEED = 13                    # the same ones for all


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


def orientationd_in_its_place():
    """With SensorProxy=yes, asked by iio-sensor-proxy's own client."""
    return Subject("orientationd", sensor_proxy_interface(), CLAIM, is_called)


def iio_sensor_proxy():
    return Subject("iio-sensor-proxy", sensor_proxy_interface(), CLAIM, is_called)


@dataclass(frozen=True)
class Extent:
    """How much is measured: each turn takes 3 s, each sensor is at rest once for each daemon."""
    hub_turns: int
    chip_turns: int
    rest: int                       # seconds over which work at rest is counted, on a hub; on a chip, five times as many
    starts: int
    long_rests: bool                # also of tablets that were put down some time ago


BRIEF = Extent(hub_turns=8, chip_turns=6, rest=12, starts=5, long_rests=False)
WHOLE = Extent(hub_turns=16, chip_turns=12, rest=30, starts=10, long_rests=True)


class LostTurn(Exception):
    pass


def measure(subject, extent):
    latencies, memory, hub_rest = on_sensor(subject, HidSensorHub(), extent.hub_turns, extent.rest)
    _, _, plain_hub_rest = on_sensor(subject, HidSensorHub(firmware=STREAMS), 0, extent.rest)
    plain_hub_long_rest = motion_chip_rest = None
    if extent.long_rests:
        _, _, plain_hub_long_rest = on_sensor(subject, HidSensorHub(firmware=STREAMS), 0, extent.rest, settle_down=LONG_AGO)
        # After some turns: orientationd trusts an interrupt that has come before.
        _, _, motion_chip_rest = on_sensor(subject, KionixMotionChip(), 4, extent.rest, settle_down=LONG_AGO)
    chip_latencies, _, _ = on_sensor(subject, I2CChip(), extent.chip_turns, 0)
    from_turn, from_report = zip(*latencies)
    return Figures(subject.name, memory, hub_rest, plain_hub_rest, from_turn, from_report,
                   chip_turn_to_signal=tuple(from_turn for from_turn, _ in chip_latencies),
                   plain_hub_long=plain_hub_long_rest, motion_chip=motion_chip_rest)


def measure_in_its_place(extent):
    """As iio-sensor-proxy's clients have it: only what may differ, and half the turns."""
    subject = orientationd_in_its_place()
    with sensor_proxy_install.in_place():
        latencies, memory, hub_rest = on_sensor(subject, HidSensorHub(), extent.hub_turns // 2, extent.rest)
        chip_latencies, _, chip_rest = on_sensor(subject, I2CChip(), extent.chip_turns // 2, extent.rest)
    from_turn, from_report = zip(*latencies)
    return Figures("SensorProxy=yes", memory, hub_rest, None, from_turn, from_report,
                   chip_turn_to_signal=tuple(from_turn for from_turn, _ in chip_latencies), chip=chip_rest)


@contextmanager
def started(subject, sensor):
    """The service, started with this sensor there, which holds the tablet in landscape."""
    sensor.plug()
    sensor.hold(LANDSCAPE_RIGHT)
    service = SystemdService(subject.name)
    try:
        iio_device.wait_for(sensor.iio_name)
        service.start_afresh()
        yield service
    finally:
        service.stop()
        sensor.unplug()
        iio_device.wait_for_none(sensor.iio_name)


@contextmanager
def listened_to(subject):
    """The signals of a daemon whose sensor a client has claimed."""
    with SignalMonitor(subject.remote.service) as signals, BusClient(subject.remote) as client:
        client.call(subject.claim)
        time.sleep(SETTLE)
        yield signals


def on_sensor(subject, sensor, turns, rest_seconds, settle_down=SETTLE_DOWN):
    """The latencies of some turns, the memory, and the work at rest."""
    # The host takes a guest that is silent for two minutes for dead.
    print(f"  {subject.name}, {sensor.iio_name}: {turns} turns ...", flush=True)
    with started(subject, sensor) as service:
        latencies = []
        if turns:
            with listened_to(subject) as signals:
                latencies = [turn(subject, sensor, signals, pose) for pose in islice(cycle(ONE_TURN), turns)]
        # A fresh client and no monitor: what the monitor makes the bus do is not the daemon's work.
        with BusClient(subject.remote) as client:
            client.call(subject.claim)
            time.sleep(settle_down)
            rest = at_rest(subject, service, sensor, rest_seconds) if rest_seconds else None
            return latencies, process_figures.memory(service.process), rest


def turn(subject, sensor, signals, pose):
    """Seconds from the turn, and from the first report of it (None for a chip), to the signal."""
    # At any phase of the sampling; and as a person does it, who looks at the screen before the next turn.
    time.sleep(random.uniform(1.5, 2.5))
    position = signals.position
    turned_at = sensor.hold(pose)
    signal = signals.wait_for(subject.says(pose), position, SIGNAL_TIMEOUT)
    if signal is None:
        raise LostTurn(f"{subject.name} said nothing of the turn to {pose.name}")
    received = on_boot_clock(signal.received)
    reported_at = getattr(sensor, "reported_at", None)
    return received - turned_at, reported_at and received - reported_at


def fidget_on(subject, kind, sensor):
    """What a person hears of turns that come one after another, the next one whether the last was announced or not."""
    print(f"  {subject.name}, {kind}: {FIDGETS} quick turns at random ...", flush=True)
    random_turns = random.Random(FIDGET_SEED)
    latencies, pose = [], LANDSCAPE_RIGHT
    with started(subject, sensor), listened_to(subject) as signals:
        for _ in range(FIDGETS):
            pose = random_turns.choice([other for other in ONE_TURN if other != pose])
            latencies.append(quick_turn(subject, sensor, signals, pose, held_for=random_turns.uniform(1, 3)))
    return Fidgeting(subject.name, kind, tuple(filter(None, latencies)), latencies.count(None))


def quick_turn(subject, sensor, signals, pose, held_for):
    """Seconds from the turn to the signal; None where the pose was left before it came."""
    position = signals.position
    turned_at, until = sensor.hold(pose), time.monotonic() + held_for
    signal = signals.wait_for(subject.says(pose), position, held_for)
    time.sleep(max(until - time.monotonic(), 0))
    return signal and on_boot_clock(signal.received) - turned_at


def on_boot_clock(realtime):
    return realtime - time.time() + time.clock_gettime(time.CLOCK_BOOTTIME)


def at_rest(subject, service, sensor, seconds):
    """What a daemon does while the tablet lies still."""
    print(f"  {subject.name}, {sensor.iio_name}: at rest ...", flush=True)
    sent = getattr(sensor, "reports_sent", None)
    counter, began = process_figures.WorkCounter(service.process), time.monotonic()
    time.sleep(seconds)
    work, lasted = counter.work, time.monotonic() - began
    return _rest(work, lasted, report_rate=None if sent is None else (sensor.reports_sent - sent) / lasted)


def _rest(work, lasted, report_rate=None):
    return Rest(cpu_milliseconds_per_minute=work.cpu_seconds * 1000 * 60 / lasted,
                wake_ups_per_second=work.wake_ups / lasted, report_rate=report_rate)


@contextmanager
def all_started(subjects, sensor):
    """Their services, each started with this sensor there."""
    sensor.plug()
    services = [SystemdService(subject.name) for subject in subjects]
    try:
        iio_device.wait_for(sensor.iio_name)
        for service in services:
            service.start_afresh()
        yield services
    finally:
        for service in services:
            service.stop()
        sensor.unplug()
        iio_device.wait_for_none(sensor.iio_name)


def work_of_all(services, seconds):
    """What each of them does at the same time, so that what else the host does falls upon all alike."""
    counters, began = [process_figures.WorkCounter(service.process) for service in services], time.monotonic()
    while (left := began + seconds - time.monotonic()) > 0:
        time.sleep(min(left, QUIET))
        # The host takes a guest that prints nothing for one that hangs.
        print(f"    {time.monotonic() - began:.0f} s of {seconds}", flush=True)
    return [counter.work for counter in counters], time.monotonic() - began


def rests_on_chip(subjects, seconds):
    """What each daemon does at rest on a chip that is polled."""
    print(f"  both, {I2CChip.iio_name}: at rest ...", flush=True)
    with all_started(subjects, I2CChip()) as services, ExitStack() as clients:
        for subject in subjects:
            clients.enter_context(BusClient(subject.remote)).call(subject.claim)
        time.sleep(SETTLE_DOWN)
        all_work, lasted = work_of_all(services, seconds)
        return [_rest(work, lasted) for work in all_work]


def idle_wake_ups(subjects):
    """How often each daemon wakes up while nobody listens, with a sensor there."""
    print("  both, nobody listening ...", flush=True)
    with all_started(subjects, HidSensorHub()) as services:
        time.sleep(SETTLE_DOWN)
        all_work, _ = work_of_all(services, IDLE)
        return [work.wake_ups for work in all_work]


def start_up_times(subjects, with_daemon, starts):
    """How long each daemon takes to be ready, with a sensor there, and the programs in C last, where there is a daemon."""
    names = [subject.name for subject in subjects] + (start_up.install_c_programs() if with_daemon else [])
    hub = HidSensorHub()
    hub.plug()
    try:
        iio_device.wait_for(hub.iio_name)
        return start_up.times(names, starts)
    finally:
        hub.unplug()
        iio_device.wait_for_none(hub.iio_name)


def fidget(with_daemon):
    """`measure=fidget`: turns that come quickly one after another, at random."""
    print(f"\nmeasuring: a person who fidgets, turns and rests of 1 to 3 s at random, seed {FIDGET_SEED} ...", flush=True)
    subjects = [iio_sensor_proxy()] + ([orientationd()] if with_daemon else [])
    sensors = (("HID hub", HidSensorHub()), ("HID hub, insensitive", HidSensorHub(firmware=STREAMS)),
               ("chip on I2C", I2CChip()))
    print_fidget_report([fidget_on(subject, kind, sensor) for kind, sensor in sensors for subject in subjects])


def whole(with_daemon):
    """`measure`."""
    beside_each_other(with_daemon, WHOLE)


def brief(with_daemon):
    """`measure=brief`."""
    beside_each_other(with_daemon, BRIEF)


def beside_each_other(with_daemon, extent):
    print(f"\nmeasuring: quarter turns, and {extent.rest} s at rest, on each kind of sensor ...", flush=True)
    subjects = [iio_sensor_proxy()] + ([orientationd()] if with_daemon else [])
    figures = [measure(subject, extent) for subject in subjects]
    rests = rests_on_chip(subjects, 5 * extent.rest)
    times = start_up_times(subjects, with_daemon, extent.starts)
    figures = [replace(each, chip=rest, idle_wake_ups=count, start_up=seconds)
               for each, rest, count, seconds in zip(figures, rests, idle_wake_ups(subjects), times)]
    print_report(figures[1] if with_daemon else None, figures[0], times[len(subjects):])
    if with_daemon:
        print_proxy_report(measure_in_its_place(extent), figures[0])
