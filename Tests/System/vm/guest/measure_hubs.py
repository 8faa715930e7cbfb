# SPDX-License-Identifier: Apache-2.0
"""The cost of rest on each kind of HID sensor hub: the daemon compared with Debian's iio-sensor-proxy, in the same guest.

One row for each kind of firmware and each noise. The daemons run one after the other, because they would share the buffer.
"""
import time

import iio_device
from bus_client import BusClient
from hid_sensor_hub import HEEDS_SENSITIVITY, REFUSES_SLOW_INTERVALS, REPORTS_CHANGES_ONLY, STREAMS, HidSensorHub
from measure import at_rest, iio_sensor_proxy, orientationd
from poses import LANDSCAPE_RIGHT
from systemd_service import SystemdService

KINDS = (("streams", STREAMS), ("reports changes only", REPORTS_CHANGES_ONLY), ("heeds sensitivity", HEEDS_SENSITIVITY),
         ("refuses slow intervals", REFUSES_SLOW_INTERVALS))
NOISES = (("to the count", 0), ("1 mg", 0.001), ("10 mg", 0.01))
SETTLE_DOWN = 12                    # seconds from the claim until the rest is known, and the first check is over
REST = 20                           # seconds over which work is counted


def main(with_daemon):
    print(f"\nmeasuring: {REST} s at rest on each kind of HID sensor hub, with each noise ...", flush=True)
    subjects = ([orientationd()] if with_daemon else []) + [iio_sensor_proxy()]
    rows = []
    for kind, firmware in KINDS:
        for noise, deviation in NOISES:
            rests = [rest(subject, HidSensorHub(firmware=firmware, noise=deviation)) for subject in subjects]
            rows.append(f"{f'{kind}, {noise}':34}" + "".join(_figures(each) for each in rests))
            print(f"  {rows[-1]}", flush=True)
    header = "".join(f"{subject.name:>22}" for subject in subjects)
    print(f"\nat rest, wake-ups a second and CPU in ms a minute:\n{'':34}{header}", *rows, sep="\n", flush=True)


def _figures(work):
    return f"{work.wake_ups_per_second:11.2f} {work.cpu_milliseconds_per_minute:7.0f} ms"


def rest(subject, hub):
    """What a daemon does while a client has claimed the accelerometer of a tablet that lies still."""
    hub.plug()
    hub.hold(LANDSCAPE_RIGHT)
    service = SystemdService(subject.name)
    try:
        iio_device.wait_for(hub.iio_name)
        service.start_afresh()
        with BusClient(subject.remote) as client:
            client.call(subject.claim)
            time.sleep(SETTLE_DOWN)
            return at_rest(subject, service, hub, REST)
    finally:
        service.stop()
        hub.unplug()
        iio_device.wait_for_none(hub.iio_name)
