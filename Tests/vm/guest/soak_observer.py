# SPDX-License-Identifier: Apache-2.0
"""What the daemon announces, against the model: as a desktop hears it that believes every signal."""
import time
from collections import defaultdict

from bus import busctl
from orientationd_case import boot_time
from soak_model import UNKNOWN

PATIENCE = 20                       # seconds for an announcement that must come; the tests' 10 are for a guest that does less
QUIET = 1                           # seconds in which nothing more may come
LONG_ENOUGH_TO_DECIDE = 2           # seconds, where nothing of a turn can be seen
INTERFACES = ("org.orientationd1.Device", "org.orientationd1.Screen")


class Wrong(Exception):
    """The daemon did what it must not. The text says what."""


class Observer:
    def __init__(self, signals, remote):
        self._signals = signals
        self._remote = remote
        self._position = 0
        self.believed = {}
        self.checked = 0            # announcements
        self._start_step()

    def _start_step(self):
        self._changes = defaultdict(list)
        self._turns = []
        self._repeated = []

    def start_anew(self, model):
        """Ask for everything, as clients do after a restart of the daemon, once it has settled."""
        model.start_step()
        deadline = time.monotonic() + PATIENCE
        while self._difference(model, self._ask()) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(QUIET)
        self._position = self._signals.position
        self.believed = self._ask()
        self._start_step()
        self._raise_if(self._difference(model, self.believed), "after a start")

    def check(self, model, turned_at=None, quiet=QUIET):
        """Wait for what the model says, and for anything more than that; then both start a new step."""
        if model.is_tracking and model.is_locked:
            quiet = max(quiet, LONG_ENOUGH_TO_DECIDE)
        try:
            deadline = time.monotonic() + PATIENCE
            while (problem := self._problem(model)) and time.monotonic() < deadline:
                time.sleep(0.05)
            self._raise_if(problem, f"{PATIENCE} s after the event")
            time.sleep(quiet)
            self._raise_if(self._problem(model), f"{quiet} s after all was announced")
            self._raise_if(self._difference(model, self._ask()), "by the bus's answer")
            self._check_times(turned_at)
            self._raise_if(self._repeated, "announced, though nothing changed")
        finally:
            self._start_step()
            model.start_step()

    @staticmethod
    def _raise_if(problem, when):
        if problem:
            raise Wrong(f"{when}: {problem}")

    def _check_times(self, turned_at):
        now = boot_time()
        for turn in self._turns if turned_at else ():
            if not turned_at < turn.arguments[2] / 1e6 < now:
                raise Wrong(f"{turn.arguments} was decided at {turn.arguments[2] / 1e6}, not in {turned_at} ... {now}")

    # What was announced.

    def _take(self):
        arrived = self._signals.since(self._position)
        self._position += len(arrived)
        self.checked += len(arrived)
        for signal in arrived:
            if signal.member == "OrientationDidChange":
                self._turns.append(signal)
            elif signal.member == "PropertiesChanged":
                for name, value in signal.changed_properties().items():
                    self._changes[name].append(value)
                    if self.believed.get(name) == value:
                        self._repeated.append((name, value))
                    self.believed[name] = value

    def _problem(self, model):
        """What is not, or not yet, as the model says."""
        self._take()
        turns = [signal.arguments[:2] for signal in self._turns]
        numbers = [number for number, _ in turns]
        if not self._fits(numbers, model.signals, model):
            return f"OrientationDidChange {turns}, not {model.signals}"
        for name in model.properties:
            got, wanted = self._changes[name], model.changes[name]
            is_passing = name in ("Orientation", "OrientationName", "HasAccelerometer") and model.losses_in_passing
            if got != wanted and not is_passing:
                return f"{name} became {got}, not {wanted}"
        if not model.statuses.issuperset(self._changes["SensorStatus"]):
            return f"SensorStatus became {self._changes['SensorStatus']}"
        return self._difference(model, self.believed)

    @staticmethod
    def _fits(numbers, wanted, model):
        if not (model.losses_in_passing and model.hears_of_losses):
            return numbers == wanted
        # Lost and found again, each time once; how often is a matter of luck.
        losses = len(numbers) // 2
        return losses <= model.losses_in_passing and numbers == [UNKNOWN, model.orientation] * losses

    @staticmethod
    def _difference(model, properties):
        for name, value in {**model.properties, "SensorStatus": model.status}.items():
            if properties.get(name) != value:
                return f"{name} is {properties.get(name)}, not {value}"
        if not properties["SensorName"].startswith(model.sensor or "") or bool(properties["SensorName"]) != bool(model.sensor):
            return f"SensorName is {properties['SensorName']!r}, not {model.sensor}"
        return None

    def _ask(self):
        """All properties, by the bus's answer."""
        found = {}
        for interface in INTERFACES:
            answer = busctl("call", self._remote.service, self._remote.path, "org.freedesktop.DBus.Properties", "GetAll", "s",
                            interface)
            found |= {name: value["data"] for name, value in answer["data"][0].items()}
        return found
