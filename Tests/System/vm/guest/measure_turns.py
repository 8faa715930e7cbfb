# SPDX-License-Identifier: Apache-2.0
"""The time until a turn is announced, for many turns, on a hub through its buffer, on a hub that is polled, and on a chip.

For the slowest turns it shows two parts: the time until the deciding sample was taken, and from there until the signal was on the
bus. If the first part is long, the sensor or the classifier is slow; if the second part is long, the daemon or the bus is slow.
"""
import os
import random
import statistics
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice

import iio_device
from bus import SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import BEGIN, boot_time, device_interface, orientation_signal
from poses import LANDSCAPE_RIGHT, ONE_TURN
from systemd_service import SystemdService

TURNS = 100
SHOWN = 3
SIGNAL_TIMEOUT = 10


@dataclass(frozen=True)
class Turn:
    number: int
    pose: str
    pause: float                    # seconds of rest before it
    decided: float                  # seconds from the turn to the sample that decided
    told: float                     # from the turn to the signal
    stolen: float                   # seconds that the guest's processors had to wait for the host meanwhile
    story: str                      # what the hub was told and reported


def main(_with_daemon):
    for name, sensor, hold_node in (("hub, buffered", HidSensorHub(), False), ("hub, polled", HidSensorHub(), True),
                                    ("chip, polled", I2CChip(), False)):
        with followed(sensor, hold_node) as signals:
            turns = [turn(number, sensor, signals, pose) for number, pose in enumerate(islice(cycle(ONE_TURN), TURNS))]
        report(name, [turn for turn in turns if turn], TURNS)


@contextmanager
def followed(sensor, hold_node):
    """The daemon samples it for a client. `hold_node`: another program has its buffer, so it is polled."""
    service = SystemdService("orientationd")
    sensor.plug()
    sensor.hold(LANDSCAPE_RIGHT)
    holder = None
    try:
        iio = iio_device.wait_for(sensor.iio_name)
        if hold_node:
            holder = os.open(f"/dev/{iio.path.name}", os.O_RDONLY)
        service.start_afresh()
        device = device_interface()
        with SignalMonitor(device.service) as signals, BusClient(device) as client:
            client.call(BEGIN)
            time.sleep(3)
            yield signals
    finally:
        service.stop()
        if holder is not None:
            os.close(holder)
        sensor.unplug()
        iio_device.wait_for_none(sensor.iio_name)


def turn(number, sensor, signals, pose):
    """None where nothing was told of it."""
    pause = random.uniform(1.5, 4)
    time.sleep(pause)
    if number % 20 == 0:
        print(f"  {sensor.iio_name}: turn {number} ...", flush=True)
    position, stolen = signals.position, waited_for_host()
    turned_at = sensor.hold(pose)
    signal = signals.wait_for(orientation_signal(pose.orientation), position, SIGNAL_TIMEOUT)
    if signal is None:
        print(f"  {sensor.iio_name}: turn {number} to {pose.name} was not told of in {SIGNAL_TIMEOUT} s", flush=True)
        return None
    received = signal.received - time.time() + boot_time()
    story = sensor.story(8) if hasattr(sensor, "story") else ""
    return Turn(number, pose.name, pause, signal.arguments[2] / 1e6 - turned_at, received - turned_at,
                waited_for_host() - stolen, story)


def waited_for_host():
    """Seconds of all processors together (/proc/stat: steal)."""
    with open("/proc/stat") as stat:
        return int(stat.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def report(name, turns, count):
    told = sorted(turn.told for turn in turns)
    print(f"{name}: {len(told)} of {count} turns told; median {statistics.median(told):.3f} s, "
          f"p90 {told[len(told) * 9 // 10]:.3f}, longest {told[-1]:.3f}", flush=True)
    for slow in sorted(turns, key=lambda turn: -turn.told)[:SHOWN]:
        print(f"  turn {slow.number} to {slow.pose} after {slow.pause:.1f} s: decided after {slow.decided:.3f} s, "
              f"told after {slow.told:.3f}; the host was away for {slow.stolen:.2f}; {slow.story}", flush=True)
