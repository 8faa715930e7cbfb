# SPDX-License-Identifier: Apache-2.0
"""soak HOURS SEED: hours of random events on a tablet with the installed daemon, which must make no mistake.

The sequence depends only on the seed. After each event, all announcements are compared with a model. After every
so many events, tablet, sensors and clients are brought into the same state, and the daemon's resources are sampled.
"""
import random
import time
import traceback
from collections import Counter, deque
from dataclasses import dataclass

import iio_device
import process_figures
import sensor_proxy_install
import soak_configuration
import soak_figures
import soak_machine_events as machine
import test_hotplug
import test_sleep
from bus import SignalMonitor
from incumbent import sensor_proxy_interface
from orientationd_case import boot_time, device_interface, forget_state
from poses import PORTRAIT
from soak_clients import Clients, Desktops
from soak_configuration import Configuration
from soak_events import draw, rotation_is_unlocked, turn_to
from soak_journal import NO_SENSOR, SENSOR_FOUND, START, UnitJournal
from soak_model import Model
from soak_neighbour import Neighbour, has_buffer_open
from soak_observer import PROXY, QUIET, Observer, Wrong
from soak_report import print_report
from soak_tablet import Tablet, neighbours
from systemd_service import SystemdService
from test_rotation_lock import screen_interface

EVENTS_BETWEEN_SAMPLES = 15
SETTLE_DOWN = 8                     # seconds until a tablet that was put down is at rest to the daemon
PROGRESS = 40                       # seconds between two lines, as the host takes a silent guest for dead
EVENTS_TOLD = 12                    # before a violation
MOST_VIOLATIONS = 5                 # after so many the rest would only follow from them


@dataclass(frozen=True)
class Violation:
    number: int                     # of the event
    event: str
    minutes: float                  # since the soak began
    clock: str                      # as the journal has it
    text: str


class TooManyViolations(Exception):
    pass


class Soak:
    def __init__(self, seed):
        self.seed = seed
        self.chance = random.Random(seed)
        self.model = Model(PORTRAIT)
        self.device, self.screen = device_interface(), screen_interface()
        self.service = SystemdService("orientationd")
        self.tablet = Tablet(self.chance)
        self.clients = Clients(self.device, self.model)
        self.desktops = Desktops(sensor_proxy_interface(), self.model)
        self.neighbour = Neighbour(self.tablet)
        self.events = Counter()
        self.latest = deque(maxlen=EVENTS_TOLD)
        self.samples = []
        self.violations = []
        self.quiet = QUIET
        self._seconds_of_processes = {}
        self._began = boot_time()
        self._told_at = boot_time()

    def run(self, hours):
        self.prepare()
        try:
            with SignalMonitor(self.device.service, PROXY.service) as signals, UnitJournal(self.service.unit) as self.journal:
                self.observer = Observer(signals, self.device, self.tablet.name_of)
                self.begin()
                while boot_time() - self._began < hours * 3600:
                    for _ in range(EVENTS_BETWEEN_SAMPLES):
                        drawn = draw(self)
                        self.step(drawn.name, drawn.act)
                    self.compare()
        except TooManyViolations:
            pass                    # told already
        finally:
            self.clean_up()

    def prepare(self):
        """The daemon stopped, with nothing kept; both of the tablet's sensors."""
        sensor_proxy_install.put_in_place()
        forget_state()
        test_sleep.sleep_as_far_as_a_virtual_machine_can()
        self.tablet.place_hubs()
        self.tablet.chip.plug()
        iio_device.wait_for(self.tablet.chip.iio_name)
        self.tablet.plug_hub()
        self.model.plug(hub=True, chip=True)
        self.tablet.hold_straight(PORTRAIT)

    def begin(self):
        self.model.configuration = Configuration(sensor_proxy=self.chance.random() < 0.5)
        self.model.configuration.write()
        self.journal.expect(*START, SENSOR_FOUND)
        # The first look may be over before udev is done with one of them.
        self.journal.allow(**{SENSOR_FOUND: 1, NO_SENSOR: 1})
        self.service.start()
        self.observer.start_anew(self.model)
        self.compare()

    def clean_up(self):
        for programs in self.clients, self.desktops:
            for name in programs.names:
                programs.crash(name)
        self.neighbour.go()
        self.service.stop()
        self.tablet.hub.unplug()
        self.tablet.keyboard.unplug()
        forget_state()
        soak_configuration.forget()
        sensor_proxy_install.take_away()
        test_hotplug.forget_rules(test_hotplug.PLACE_RULE)

    # Steps.

    def step(self, name, act):
        """One event, and all that must come of it and nothing else."""
        self.events[name] += 1
        self.latest.append(name)
        self.quiet = QUIET
        try:
            turned_at = act(self)
            self.journal.allow_polling(*self.reasons_to_poll)
            self.observer.check(self.model, turned_at, self.quiet)
            if self.neighbour.is_there:
                self.neighbour.check(self.model.pose)
            if self.tablet.keyboard.was_used:
                raise Wrong(f"the keyboard's hub was used: {self.tablet.keyboard.story()}")
            if lines := self.journal.unexplained():
                raise Wrong(f"nothing explains what the journal says: {lines}")
        except Wrong as wrong:
            self.violated(name, str(wrong))
        except Exception:           # the daemon or the rig does not do as told: to go on makes no sense, to report does
            self.violated(name, traceback.format_exc())
            raise
        self.tell_progress(name)

    @property
    def reasons_to_poll(self):
        """Why a sensor that is in use after an event, or was amid it, has to be polled."""
        model, reasons = self.model, []
        if "silent" in model.statuses:
            reasons.append(rf"^{self.tablet.hub.iio_name} .*: no sample in ")
        if model.chip_is_there and (not model.hub_is_there or model.losses_in_passing):
            reasons.append(rf"^{self.tablet.chip.iio_name} .*: no buffered samples: ")     # it has no trigger
        if self.neighbour.is_there:
            reasons.append(rf"^{self.tablet.hub.iio_name} .*: in use by ")
        return reasons

    def violated(self, name, text):
        violation = Violation(self.events.total(), name, (boot_time() - self._began) / 60, time.strftime("%H:%M:%S"), text)
        self.violations.append(violation)
        print(f"WRONG at event {violation.number}, {name}, {violation.minutes:.2f} min ({violation.clock}): {text}", flush=True)
        print(f"      the last events: {', '.join(self.latest)}", flush=True)
        print(f"      the hub: {self.tablet.hub.story()}", flush=True)
        for thread in process_figures.whereabouts(self.service.process):
            print(f"      {thread}", flush=True)
        try:
            self.observer.start_anew(self.model)
        except Wrong as still:
            print(f"      still {still}", flush=True)
        if len(self.violations) >= MOST_VIOLATIONS:
            raise TooManyViolations

    def compare(self):
        """Bring all into one state, which one client watches, and see what the daemon holds there."""
        for programs in self.clients, self.desktops:
            for name in programs.names:
                self.step("program goes, for a sample", lambda soak, name=name, programs=programs: programs.crash(name))
        if self.neighbour.is_there:
            self.step("iio sensor proxy goes, for a sample", machine.iio_sensor_proxy_goes)
        if self.model.configuration.differs_for_the_running(Configuration()):
            self.step("configured as at first, for a sample", machine.configuration_is_as_at_first)
        if not self.model.chip_is_there:
            self.step("chip is bound, for a sample", machine.chip_is_bound)
        if not self.model.hub_is_there:
            self.step("hub is plugged in, for a sample", machine.hub_is_plugged_in)
        if self.model.is_locked:
            self.step("rotation is unlocked, for a sample", rotation_is_unlocked)
        while self.model.pose != PORTRAIT:
            near = neighbours(self.model.pose)
            pose = PORTRAIT if PORTRAIT in near else near[0]
            self.step("turn, for a sample", lambda soak, pose=pose: turn_to(soak, pose))
        self.step("client begins, for a sample", lambda soak: soak.clients.come())
        self.tablet.hold_straight(PORTRAIT)
        self.step("rest, for a sample", rest_buffered)
        for problem in self.journal.settle():
            self.violated("journal", problem)
        self.note_processor_time()
        self.samples.append(soak_figures.sample(self.service.process))
        self.tell_progress("sample", at_once=True)

    # Figures.

    def note_processor_time(self):
        """Of the daemon as it runs now: it is lost with the process."""
        self._seconds_of_processes[self.service.process] = int(self.service.show("CPUUsageNSec")) / 1e9

    @property
    def processor_seconds(self):
        return sum(self._seconds_of_processes.values())

    @property
    def minutes(self):
        return (boot_time() - self._began) / 60

    def tell_progress(self, doing, at_once=False):
        if boot_time() - self._told_at < PROGRESS and not at_once:
            return
        self._told_at = boot_time()
        last = self.samples[-1] if self.samples else None
        held = f"{last.anonymous} kB anonymous, {last.resident} kB resident, {last.descriptors} descriptors" if last else ""
        print(f"  {self.minutes:6.2f} min: {self.events.total()} events ({doing}), {self.observer.checked} announcements, "
              f"{len(self.violations)} wrong; {held}", flush=True)


def rest_buffered(soak):
    """The hub is sampled through its buffer, whatever happened to it before."""
    time.sleep(SETTLE_DOWN)
    if not has_buffer_open(soak.service.process, soak.tablet.wait_for_hub()):
        raise Wrong("the hub's buffer is not used")


def main(hours, seed):
    """Whether all was well."""
    print(f"soak: {hours:g} h with seed {seed}", flush=True)
    soak = Soak(seed)
    try:
        soak.run(hours)
    except Exception:
        traceback.print_exc()
        soak.violations = soak.violations or [Violation(soak.events.total(), "", soak.minutes, time.strftime("%H:%M:%S"),
                                                        "the soak could not go on")]
    growths = soak_figures.growths(soak.samples)
    print_report(soak, growths)
    is_well = not soak.violations and not growths
    print(f"{'ok' if is_well else 'FAIL':<5}{soak.minutes * 60:5.1f} s  soak: {hours:g} h with seed {seed}", flush=True)
    return is_well
