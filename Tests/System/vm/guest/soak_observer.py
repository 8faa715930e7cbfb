# SPDX-License-Identifier: Apache-2.0
"""Compares the daemon's announcements with the model, as a desktop that trusts every signal sees them."""
import time
from collections import defaultdict

from bus import SENSOR_NAMES, RemoteObject
from incumbent import sensor_proxy_interface
from orientationd_case import boot_time
from soak_model import NO_EDGE, UNKNOWN

PATIENCE = 20                       # seconds for an announcement that must come
QUIET = 1                           # seconds in which nothing more may come
LONG_ENOUGH_TO_DECIDE = 2           # seconds, where nothing of a turn can be seen
INTERFACES = ("org.orientationd1.Device", "org.orientationd1.Screen", "org.orientationd1.Sensor")
PROXY = sensor_proxy_interface()


class Wrong(Exception):
    """The daemon did what it must not. The text says what."""


class Desktop:
    """What one that has claimed the accelerometer is told."""

    def __init__(self, word):
        self._word = word           # of the edge that is up, as it believes
        self.start_step()

    def start_step(self):
        self.told = []
        self._edges = []
        self._presences = []
        self._repeated = []

    def take(self, properties):
        self.told.append(properties)
        if "HasAccelerometer" in properties:
            self._presences.append(properties["HasAccelerometer"])
        word = properties.get("AccelerometerOrientation", self._word)
        if word != self._word:
            self._edges.append(word)
        elif "AccelerometerOrientation" in properties and "HasAccelerometer" not in properties:
            self._repeated.append(word)
        self._word = word

    def problem(self, model, is_new, may_repeat=False):
        """`may_repeat`: whether it has claimed again and again, each time with the reading before the answer."""
        if self._word not in model.edge.possible_words:
            return f"believes that {self._word} is up, not {model.edge.word}, by {self.told}"
        # Nothing here turns the tablet and loses the sensor, so a desktop is never told of another edge on the way.
        if model.losses_in_passing and not is_new and (wrong := set(self._edges) - {NO_EDGE, model.edge.word}):
            return f"was told {sorted(wrong)} in passing"
        # A new one is told of what was before, or not. What happens in passing may be told, or not.
        if is_new or model.losses_in_passing or model.edge_was_in_doubt:
            return None
        if self._repeated and not may_repeat:
            return f"was told {self._repeated} again"
        if self._edges != model.edges:
            return f"was told {self._edges}, not {model.edges}"
        if self._presences != model.changes["HasAccelerometer"]:
            return f"was told of HasAccelerometer {self._presences}, not {model.changes['HasAccelerometer']}"
        return None


class Observer:
    def __init__(self, signals, remote, name_of):
        """`name_of`: what the daemon calls a sensor that has this name in the kernel."""
        self._signals = signals
        self._remote = remote
        self._name_of = name_of
        self._position = 0
        self.believed = {}
        self._desktops = {}         # address: a Desktop
        self.checked = 0            # announcements
        self._start_step()

    def _start_step(self):
        self._changes = defaultdict(list)
        self._turns = []
        self._repeated = []
        for desktop in self._desktops.values():
            desktop.start_step()

    def desktop_reads(self, address, word):
        """A claim was answered, and this read then."""
        self._desktops[address] = Desktop(word)

    def start_anew(self, model):
        """Ask for everything, as clients do after a restart of the daemon, once it has settled."""
        model.start_step()
        deadline = time.monotonic() + PATIENCE
        while self._difference(model, self._ask()) and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(QUIET)
        self._position = self._signals.position
        self.believed = self._ask()
        self._desktops = {address: Desktop(model.edge.word) for address in model.addresses.values()}
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
            self._raise_if(self._proxy_difference(model), "by the answer of net.hadess.SensorProxy")
            self._check_times(turned_at)
            self._raise_if(self._repeated, "announced, though nothing changed")
        finally:
            living = set(model.addresses.values())
            self._desktops = {address: desktop for address, desktop in self._desktops.items() if address in living}
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
            elif signal.member == "PropertiesChanged" and signal.arguments[0] == PROXY.interface:
                self._take_of_desktop(signal)
            elif signal.member == "PropertiesChanged":
                for name, value in signal.changed_properties().items():
                    self._changes[name].append(value)
                    if self.believed.get(name) == value:
                        self._repeated.append((name, value))
                    self.believed[name] = value

    def _take_of_desktop(self, signal):
        self._desktops.setdefault(signal.destination, Desktop(None)).take(signal.changed_properties())

    def _desktops_problem(self, model):
        now, before = set(model.addresses.values()), set(model.claimed_before.values())
        for address, desktop in self._desktops.items():
            if desktop.told and not (model.serves_proxy and address in now | before):
                return f"{desktop.told} is told to {address or 'everybody'}, not to who has claimed the sensor"
        for address in now:
            if problem := self._desktops[address].problem(model, address not in before, address in model.answered_late):
                return f"desktop {address}: {problem}"
        return None

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
        return self._desktops_problem(model) or self._difference(model, self.believed)

    @staticmethod
    def _fits(numbers, wanted, model):
        if not (model.losses_in_passing and model.hears_of_losses):
            return numbers == wanted
        # Lost and found again, each time once; how often is a matter of luck.
        losses = len(numbers) // 2
        return losses <= model.losses_in_passing and numbers == [UNKNOWN, model.orientation] * losses

    def _difference(self, model, properties):
        for name, value in {**model.properties, "SensorStatus": model.status}.items():
            if properties.get(name) != value:
                return f"{name} is {properties.get(name)}, not {value}"
        if properties["SensorName"] != (name := self._name_of(model.sensor)):
            return f"SensorName is {properties['SensorName']!r}, not {name!r}"
        return None

    @staticmethod
    def _proxy_difference(model):
        if not model.serves_proxy:
            return None
        has_sensor, word = PROXY.property("HasAccelerometer"), PROXY.property("AccelerometerOrientation")
        if has_sensor != (model.sensor is not None):
            return f"HasAccelerometer is {has_sensor}"
        return None if word in model.edge.possible_words else f"AccelerometerOrientation is {word}, not {model.edge.word}"

    def _ask(self):
        """All properties, by the bus's answer."""
        found = {}
        for interface in INTERFACES:
            properties = RemoteObject(self._remote.service, self._remote.path, interface).properties()
            names = SENSOR_NAMES if interface.endswith(".Sensor") else {}
            found |= {names.get(name, name): value for name, value in properties.items()}
        return found
