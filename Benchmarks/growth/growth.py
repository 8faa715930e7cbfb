#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""growth.py DAEMON [subscribers|readers|devices|rates ...]: how the daemon's cost grows; docs/measurements.md has the tables.

Processor times are what the kernel has counted for the daemon's threads (schedstat), so another load changes them little. Each figure is
the median of three runs. The devices are umockdev's, whose share of the daemon's time is in the figures.
"""
import signal
import subprocess
import sys
import time
from statistics import median, quantiles

from hearers import Hearers
from machine import CHIP, CONVERTER, LIGHT, LONGEST, Machine, devices, see_made_up_devices
from readers import Readers

RUNS = 3
HERTZ = 200


def table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |", flush=True)


def medians(measure):
    """Of each figure that a measurement returns."""
    return [median(values) for values in zip(*(measure() for _ in range(RUNS)))]


def measure_subscribers(daemon):
    rows = []
    for count in 1, 16, 64, 256:
        cpu, spread, resident = medians(lambda: subscribers_once(daemon, count, seconds=20))
        rows.append([count, f"{cpu:.1f}", f"{spread:.1f}", f"{resident:.0f}"])
    table("Subscribers on one bus, of the simulated tablet, which turns every 4 s",
          ["subscribers", "CPU, ms a second", "the last hears of a turn after the first, ms", "RSS, kB"], rows)


def subscribers_once(daemon, count, seconds):
    with Machine(daemon, "MaxClients=256", "MaxClientsPerUser=256", sensor="simulated") as machine, Hearers(machine.address, count) as hearers:
        hearers.listen(3)
        counter, began = machine.work(), time.monotonic()
        turns = hearers.listen(seconds)
        cpu, took = counter.work.cpu_seconds, time.monotonic() - began
        return 1e3 * cpu / took, median(max(turn) - min(turn) for turn in turns), machine.resident


def measure_devices(daemon):
    rows = []
    for kind, other in ("converters of eight channels", CONVERTER), ("light sensors", LIGHT):
        for count in 1, 10, 30:
            if count == 1 and rows:
                continue
            opened = opened_in_a_look(daemon, count, other)
            look, ready, start, orientation = medians(lambda: devices_once(daemon, count, other))
            rows.append([f"1 + {count - 1} {kind}", f"{look:.1f}", f"{opened}", f"{ready:.0f}", f"{start:.1f}", f"{orientation:.0f}"])
    table("IIO devices: an accelerometer and others",
          ["devices", "a look, ms of CPU", "files opened in it", "start to READY, ms", "CPU of the start, ms", "start to first orientation, ms"],
          rows)


def devices_once(daemon, count, other):
    testbed = devices(count, other)
    with Machine(daemon, "AxisConvention=kernel", testbed=testbed) as machine:
        machine.call("MeasureOrientation")
        known = time.monotonic()
        machine.wait_until_idle()
        start = machine.cpu_milliseconds
        look(testbed, machine)
        return machine.cpu_milliseconds - start, 1e3 * (machine.ready - machine.began), start, 1e3 * (known - machine.began)


def look(testbed, machine):
    """Have the daemon look at the devices, and wait until it has, and has released the memory of the look."""
    before = machine.cpu_milliseconds
    testbed.uevent(CHIP, "change")
    end = time.monotonic() + LONGEST
    while machine.cpu_milliseconds == before:
        if time.monotonic() > end:
            sys.exit("growth.py: the daemon does not look at the devices")
        time.sleep(0.01)
    machine.wait_until_idle()


def opened_in_a_look(daemon, count, other):
    """How many files and folders of the devices and of udev are opened."""
    testbed = devices(count, other)
    with Machine(daemon, "AxisConvention=kernel", testbed=testbed) as machine:
        machine.wait_until_idle()
        file = machine.folder / "opened"
        tracer = subprocess.Popen(["strace", "-f", "-qq", "-e", "trace=openat", "-o", file, "-p", str(machine.process)],
                                  stderr=subprocess.DEVNULL)
        time.sleep(1)
        look(testbed, machine)
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
        lines = file.read_text(errors="replace").splitlines()
    return sum(testbed.get_root_dir() in line for line in lines)


def measure_readers(daemon):
    rows = []
    for count in 1, 4, 16, 64:
        cpu, each, lost, first, last, worst, resident = medians(lambda: readers_once(daemon, count, seconds=10))
        rows.append([count, f"{cpu:.1f}", f"{1e3 * each:.1f}", f"{lost:.0f}", f"{first:.2f}", f"{last:.2f}", f"{worst:.1f}", f"{resident:.0f}"])
    table(f"Readers of motion at {HERTZ} Hz, of the simulated tablet",
          ["readers", "CPU, ms a second", "CPU of a record, µs", "records lost", "the first has a sample after, ms", "the last", "99 %", "RSS, kB"], rows)


def readers_once(daemon, count, seconds):
    with Machine(daemon, sensor="simulated") as machine, Readers(machine.motion, count, HERTZ) as readers:
        readers.read(3)
        counter, began = machine.work(), time.monotonic()
        arrivals, lost = readers.read(seconds)
        cpu, took = counter.work.cpu_seconds, time.monotonic() - began
        whole = [each for each in arrivals.values() if len(each) == count]
        records = sum(len(each) for each in arrivals.values())
        last = [max(each) for each in whole]
        return (1e3 * cpu / took, 1e3 * cpu / records, lost, median(min(each) for each in whole), median(last), quantiles(last, n=100)[-1],
                machine.resident)


def measure_rates(daemon):
    rates = 5, 10, 25, 50, 100, 200
    rows = zip(rates, *(medians(lambda: rates_once(daemon, rates, sensor)) for sensor in ("simulated", "auto")))
    table("Rates, with a subscriber", ["Hz", "CPU a minute, simulated tablet, ms", "CPU a minute, chip that is polled, ms"],
          [[rate, f"{simulated:.0f}", f"{polled:.0f}"] for rate, simulated, polled in rows])


def rates_once(daemon, rates, sensor, seconds=30):
    """Daemons of all rates, side by side: their processor times are their own."""
    testbed = devices(1, CONVERTER)
    machines = [Machine(daemon, f"SampleRate={rate}", "AdaptSampleRate=no", testbed=testbed, sensor=sensor) for rate in rates]
    for machine in machines:
        machine.subscribe()
    time.sleep(5)
    counters, began = [machine.work() for machine in machines], time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    figures = [60 / took * 1e3 * counter.work.cpu_seconds for counter in counters]
    for machine in machines:
        machine.__exit__()
    return figures


PARTS = {"subscribers": measure_subscribers, "readers": measure_readers, "devices": measure_devices, "rates": measure_rates}


def main():
    see_made_up_devices()
    daemon, *parts = sys.argv[1:]
    for part in parts or PARTS:
        PARTS[part](daemon)


if __name__ == "__main__":
    main()
