# SPDX-License-Identifier: Apache-2.0
"""Programs that read motion from the daemon's socket: what they get, and what it costs the daemon."""
import statistics
import time
from contextlib import ExitStack, contextmanager

import iio_device
import process_figures
from hid_motion_hub import HidMotionHub
from i2c_chip import I2CChip
from motion_client import ACCELEROMETER, MotionClient, MotionProgram
from systemd_service import SystemdService

MINUTE = 60
SETTLE = 6                          # seconds after which the daemon has released the memory that it needs to start a sensor
MANY = 64                           # programs of a user: as many as may be
FIGURES = f"{'':44}{'samples':>8}{'lost':>6}{'median':>8}{'1 %':>7}{'99 %':>7}{'longest':>9}{'delay':>7}{'99 %':>7}{'CPU':>7}"
UNITS = f"{'':44}{'':8}{'':6}{'ms':>8}{'ms':>7}{'ms':>7}{'ms':>9}{'ms':>7}{'ms':>7}{'ms/min':>7}"


def main(with_daemon):
    """`measure=motion`."""
    if not with_daemon:
        return
    print("\nmeasuring: programs that read motion ...", flush=True)
    hub, service = HidMotionHub(), SystemdService("orientationd")
    rows = []
    with plugged(hub, service, "accel_3d", "gyro_3d"):
        time.sleep(SETTLE)
        memory = [("without programs", process_figures.memory(service.process))]
        rows += stream("hub, one program", service, hub.accelerometer, MINUTE, accelerometer=200)
        rows += stream("hub, both sensors", service, hub.accelerometer, MINUTE / 2, accelerometer=200, gyroscope=200)
        rows += stream("hub, at the rate of screens", service, hub.accelerometer, MINUTE / 2, gravity=60)
        memory += memory_with_programs(service)
    chip = I2CChip()
    with plugged(chip, service, chip.iio_name):
        rows += stream("chip that is polled", service, None, MINUTE / 2, accelerometer=100)
    print("\nreaders of motion: the times between samples, and from a sample's time to when the program has it")
    print(FIGURES, UNITS, *rows, sep="\n")
    print(f"\n{'':44}{'RSS':>9}{'PSS':>9}{'anonymous':>11}{'threads':>9}")
    for title, each in memory:
        print(f"{title:44}{each.resident:6} kB{each.proportional:6} kB{each.anonymous:8} kB{each.threads:9}")
    print(flush=True)


@contextmanager
def plugged(sensor, service, *iio_names):
    """The daemon, started with this sensor there."""
    service.stop()
    sensor.plug()
    try:
        for name in iio_names:
            iio_device.wait_for(name)
        service.start_afresh()
        yield
    finally:
        service.stop()
        sensor.unplug()


def stream(title, service, hub, seconds, **rates):
    """A row for each stream of a program."""
    print(f"  {title}: {seconds:.0f} s ...", flush=True)
    with MotionProgram(**rates) as program:
        program.wait_for_samples(10)
        time.sleep(SETTLE / 2)
        counter, began = process_figures.WorkCounter(service.process), time.clock_gettime(time.CLOCK_BOOTTIME)
        sent = hub.reports_sent if hub else 0
        time.sleep(seconds)
        work, ended = counter.work, time.clock_gettime(time.CLOCK_BOOTTIME)
        sent = f", {hub.reports_sent - sent} reports" if hub else ""
        time.sleep(0.5)
        records = program.records.since(began, ended)
    cpu = work.cpu_seconds * 1000 * 60 / (ended - began)
    names = {1: "accelerometer", 2: "gyroscope", 3: "gravity"}
    return [figures(f"{title}{sent}, {names[sensor]}", records.of(sensor), cpu) for sensor in sorted({each.sensor for each in records})]


def figures(title, records, cpu):
    between, delays = records.intervals, [(each.received - each.nanoseconds) / 1e6 for each in records.samples]
    hundredths = statistics.quantiles(between, n=100)
    return (f"{title:44}{len(records.samples):8}{records.lost:6}{statistics.median(between):8.2f}{hundredths[0]:7.2f}{hundredths[-1]:7.2f}"
            f"{max(between):9.2f}{statistics.median(delays):7.2f}{statistics.quantiles(delays, n=100)[-1]:7.2f}{cpu:7.0f}")


def memory_with_programs(service):
    """Of one, and of many, half of which never read."""
    print(f"  {MANY} programs ...", flush=True)
    found = []
    with ExitStack() as clients:
        def connect(hertz):
            client = clients.enter_context(MotionClient())
            client.start(ACCELEROMETER, hertz)
            return client
        reading = [connect(25)]
        for title, count in ("one program", 1), (f"{MANY // 2} programs", MANY // 2):
            reading += [connect(25) for _ in range(count - len(reading))]
            read(reading)
            found.append((title, process_figures.memory(service.process)))
        for _ in range(MANY // 2):
            connect(200)
        read(reading)
        found.append((f"{MANY} programs, half of which never read", process_figures.memory(service.process)))
        print(f"    the other half have lost {sum(client.records.lost for client in reading)} samples", flush=True)
    time.sleep(SETTLE)
    return found + [("afterwards", process_figures.memory(service.process))]


def read(clients):
    until = time.monotonic() + SETTLE
    while time.monotonic() < until:
        for client in clients:
            client.receive()
        time.sleep(0.2)
