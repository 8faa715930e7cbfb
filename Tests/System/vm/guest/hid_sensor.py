# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with one sensor, as in laptops and tablets; or a sensor that is part of a hub (`plug_into`).

It behaves like the hardware. While it is powered and set to report, it reports at the interval that the driver has set, but only
readings that differ from its last report by more than the change sensitivity that the driver has set. It keeps a log of these
settings and their times. Firmware differs, and `Firmware` describes the differences.
"""
import math
import random
import threading
import time
from dataclasses import dataclass

from hid_report_descriptor import hub_descriptor
from user_hid_device import FEATURE_REPORT, INPUT_REPORT, NO_ANSWER, UserHidDevice

NO_EVENTS, ALL_EVENTS = 1, 2
FULL_POWER, POWER_OFF = 2, 6


@dataclass(frozen=True)
class LogEntry:
    when: float                     # seconds on the boot-time clock
    what: str                       # power, reporting, interval or sensitivity
    value: int


@dataclass(frozen=True)
class Firmware:
    """How a hub goes about its reports."""
    sensitivity: float = 0          # what it comes with, in the unit of its first field
    heeds_sensitivity: bool = True
    reports_changes_only: bool = False   # whatever its sensitivity: it keeps silent while it measures the same to the count
    reports_at_power_up: bool = True     # even so, where it was just powered up
    slowest_interval: int = 0x7FFFFFFF   # milliseconds; it keeps the one that it has where it is told a longer one
    fastest_interval: int = 0       # milliseconds; it uses this one where it is told a shorter one


class HidSensor(UserHidDevice):
    iio_name = None                 # what its driver in the kernel calls it

    def __init__(self, reports, measured, firmware=Firmware(), noise=0):
        """`measured` until told otherwise: a value for each field of the reports, and `noise` the deviation of each."""
        super().__init__()
        self._firmware = firmware
        self._noise = noise
        self._plugged_in = None     # another object each time
        self._hub = None            # the device that carries its reports: itself if it has a hub of its own
        self._dead = False
        self._hangs = False
        self._hesitation = 0
        self._is_mute = False
        self._reported = None
        self.reports = reports
        self._changed = threading.Condition()
        self._settings = self._first_settings
        self._measured = self._measured_before = measured
        self._turned_at = self._turn_lasts = 0
        self._reported_at = None
        self.log = []
        self.reports_sent = 0

    # What a test does with it.

    def plug(self):
        self.connect("VM Sensor Hub", hub_descriptor(self.reports))
        self.plug_into(self)

    def unplug(self):
        """Harmless when it is not plugged in."""
        self.disconnect()
        self.unplug_from_hub()

    def plug_into(self, hub):
        """The hub, which is plugged in, carries its reports."""
        with self._changed:
            self._hub, self._plugged_in = hub, object()
        threading.Thread(target=self._stream, args=(self._plugged_in,), daemon=True).start()

    def unplug_from_hub(self):
        with self._changed:
            self._plugged_in = None
            self._settings = self._first_settings
            self._changed.notify_all()

    def measure(self, *values, over=0):
        """From now on, these; or after a turn `over` so many seconds. Returns when that was, in seconds on the boot-time clock."""
        with self._changed:
            self._measured_before = self._felt_exactly()
            self._measured = values
            self._turned_at, self._turn_lasts = _now(), over
            self._reported_at = None
            return self._turned_at

    def make_noise(self, deviation):
        """From now on, on each value."""
        self._noise = deviation

    def die(self):
        """From now on it neither reports nor answers."""
        self._dead = True

    def hang(self):
        """From now on the kernel waits 5 s for its answer to whatever it asks or tells; it reports as before."""
        self._hangs = True

    def answer(self):
        """Again."""
        self._hangs = False

    def hesitate_once(self, seconds):
        """Its answer to the next longer interval takes so long, as on a machine that is busy for a moment."""
        self._hesitation = seconds

    def fall_silent(self):
        """From now on it reports nothing, but answers."""
        self._is_mute = True

    def speak_again(self):
        self._is_mute = False

    def lose_power(self):
        """Without being told to, as in a sleep of the machine."""
        with self._changed:
            self._settings.update(reporting=NO_EVENTS, power=POWER_OFF)
            self._changed.notify_all()

    @property
    def sensitivity(self):
        """In the unit of its first field."""
        return self._settings["sensitivity"] / self.reports.counts_per_unit

    @property
    def powered(self):
        return self._settings["power"] == FULL_POWER

    @property
    def report_interval(self):
        """Milliseconds."""
        return self._settings["interval"]

    @property
    def reported_at(self):
        """When the first report of the present values was written; None before."""
        return self._reported_at

    def power_ups_since(self, position):
        """Log entries that switched the sensor on, from `position = len(log)` of an earlier moment."""
        return [entry for entry in self.log[position:] if entry.what == "power" and entry.value == FULL_POWER]

    def story(self, count=12):
        """For people: what it was told last, and what it feels and has reported."""
        told = [f"{entry.when:.2f} {entry.what} {entry.value}" for entry in self.log[-count:]]
        return f"told {', '.join(told)}; at {_now():.2f} it feels {self._measured}, reported {self._reported}"

    # What the kernel asks of it.

    def get_report(self, kind, number):
        with self._changed:
            if self._dead or self._hangs:
                return NO_ANSWER
            if kind == FEATURE_REPORT:
                return self.reports.pack_feature(**self._settings)
            if kind == INPUT_REPORT:
                return self.reports.pack_input(self._felt())
            return None

    def set_report(self, kind, report):
        if kind != FEATURE_REPORT:
            return False
        if self._hangs:
            return NO_ANSWER
        reporting, power, interval, sensitivity = self.reports.unpack_feature(report)
        if interval > self._firmware.slowest_interval:
            interval = self._settings["interval"]
        interval = max(interval, self._firmware.fastest_interval)
        if interval > self._settings["interval"]:
            time.sleep(self._hesitation)
            self._hesitation = 0
        told = {"reporting": reporting, "power": power, "interval": interval, "sensitivity": sensitivity}
        with self._changed:
            for what, value in told.items():
                if self._settings[what] != value:
                    self.log.append(LogEntry(_now(), what, value))
            self._settings = told
            self._changed.notify_all()
        return True

    # What it does by itself.

    @property
    def _first_settings(self):
        """As its firmware starts."""
        return {"reporting": NO_EVENTS, "power": POWER_OFF, "interval": 100,
                "sensitivity": round(self._firmware.sensitivity * self.reports.counts_per_unit)}

    @property
    def _streaming(self):
        return self.powered and self._settings["reporting"] == ALL_EVENTS

    def _stream(self, plugged_in):
        """Report on an absolute clock, so that the rate does not depend on what a report costs."""
        due = _now()
        with self._changed:
            while self._plugged_in is plugged_in:
                if not self._streaming:
                    self._reported = None if self._firmware.reports_at_power_up else self._felt()
                    self._changed.wait()
                    due = _now()
                elif due > _now():
                    self._changed.wait(due - _now())
                else:
                    self._report_if_worth_it(self._felt())
                    due = max(due + max(self.report_interval, 1) / 1000, _now() - 0.1)

    def _felt(self):
        """What it measures at this instant."""
        felt = self._felt_exactly()
        return tuple(random.gauss(value, self._noise) for value in felt) if self._noise else felt

    def _felt_exactly(self):
        """A turn by a right angle, as a hand does it: it starts and ends slowly."""
        since = _now() - self._turned_at
        if since >= self._turn_lasts:
            return tuple(self._measured)
        angle = math.pi / 4 * (1 - math.cos(math.pi * since / self._turn_lasts))
        return tuple(math.cos(angle) * before + math.sin(angle) * after
                     for before, after in zip(self._measured_before, self._measured))

    def _is_worth_a_report(self, felt):
        if self._reported is None:
            return True
        if self._firmware.heeds_sensitivity and self.sensitivity > 0:
            return any(abs(now - then) > self.sensitivity for now, then in zip(felt, self._reported))
        return not self._firmware.reports_changes_only or \
            self.reports.pack_input(felt) != self.reports.pack_input(self._reported)

    def _report_if_worth_it(self, felt):
        if self._dead or self._is_mute or not self._is_worth_a_report(felt):
            return
        self._reported = felt
        if self._reported_at is None:
            self._reported_at = _now()
        self._hub.send_input(self.reports.pack_input(felt))
        self.reports_sent += 1


def _now():
    return time.clock_gettime(time.CLOCK_BOOTTIME)
