# SPDX-License-Identifier: Apache-2.0
"""The first minute at rest of a tablet that was put down flat, or that stands, on each kind of sensor: the daemon compared with
Debian's iio-sensor-proxy, in the same guest, both asked by iio-sensor-proxy's interface.

One row for each kind. The daemons run one after the other, because they would share the buffer.
"""
import time

import iio_device
import sensor_proxy_install
from bus_client import BusClient
from hid_sensor_hub import HEEDS_SENSITIVITY, REPORTS_CHANGES_ONLY, STREAMS, HidSensorHub
from i2c_chip import I2CChip
from measure import iio_sensor_proxy, orientationd_in_its_place
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT
from process_figures import WorkCounter
from systemd_service import SystemdService

KINDS = (("hub that streams", lambda: HidSensorHub(firmware=STREAMS)),
         ("hub that streams, 10 mg of noise", lambda: HidSensorHub(firmware=STREAMS, noise=0.01)),
         ("hub that tells changes", lambda: HidSensorHub(firmware=REPORTS_CHANGES_ONLY)),
         ("hub with a sensitivity, 10 mg of noise", lambda: HidSensorHub(firmware=HEEDS_SENSITIVITY, noise=0.01)),
         ("polled chip", I2CChip))
ROWS = [(FACE_UP, "flat", *kind) for kind in KINDS] + [(LANDSCAPE_RIGHT, "standing", *kind) for kind in (KINDS[0], KINDS[-1])]
SETTLE = 3                          # seconds from the claim to the first turn
TURNS = (LANDSCAPE_LEFT, PORTRAIT)  # before the tablet is put down: somebody has used it
HELD = 2                            # seconds, after each
PUT_DOWN = 3                        # seconds from then, until the minute begins
MINUTE = 60


def main(with_daemon):
    print("\nmeasuring: the first minute at rest, on each kind of sensor ...", flush=True)
    rows = []
    for pose, name, kind, sensor in ROWS:
        figures = []
        if with_daemon:
            with sensor_proxy_install.in_place():
                figures.append(rest(orientationd_in_its_place(), sensor(), pose))
        figures.append(rest(iio_sensor_proxy(), sensor(), pose))
        rows.append(f"{f'{name}, {kind}':48}" + "".join(figures))
        print(f"  {rows[-1]}", flush=True)
    names = (["orientationd"] if with_daemon else []) + ["iio-sensor-proxy"]
    print("\nclaimed, the first minute at rest: wake-ups a second, CPU in ms a minute:\n"
          f"{'':48}" + "".join(f"{name:>22}" for name in names), *rows, sep="\n", flush=True)


def rest(subject, sensor, pose):
    """What a daemon does in the minute after the tablet was put down."""
    sensor.plug()
    sensor.hold(PORTRAIT)
    service = SystemdService(subject.name)
    try:
        iio_device.wait_for(sensor.iio_name)
        service.start_afresh()
        with BusClient(subject.remote) as client:
            client.call(subject.claim)
            time.sleep(SETTLE)
            for turn in TURNS:
                sensor.hold(turn)
                time.sleep(HELD)
            sensor.hold(pose)
            time.sleep(PUT_DOWN)
            counter, began = WorkCounter(service.process), time.monotonic()
            time.sleep(MINUTE)
            work, lasted = counter.work, time.monotonic() - began
            return f"{work.wake_ups / lasted:11.2f} {work.cpu_seconds * 1000 * MINUTE / lasted:7.0f} ms"
    finally:
        service.stop()
        sensor.unplug()
        iio_device.wait_for_none(sensor.iio_name)
