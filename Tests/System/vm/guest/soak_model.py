# SPDX-License-Identifier: Apache-2.0
"""What must be announced: a second implementation of the rules of org.orientationd1(5), for a daemon without pending changes.

The events update the model. It lists the announcements of a daemon without faults: for each property the
sequence of its values, and the orientations of OrientationDidChange.
"""
import contextlib
from collections import defaultdict
from dataclasses import replace

from poses import ALL_SIX
from soak_configuration import Configuration

UNKNOWN = 0
NAMES = {UNKNOWN: "unknown"} | {pose.orientation: pose.name for pose in ALL_SIX}
UPSIDE_DOWN_OF = {UNKNOWN: UNKNOWN, 1: 2, 2: 1, 3: 4, 4: 3, 5: 5, 6: 6}
# UIKit counts an interface by the device orientation that it is upright on, and names the landscapes the other way round.
INTERFACE_NAMES = {1: "portrait", 2: "portraitUpsideDown", 3: "landscapeRight", 4: "landscapeLeft"}
TRANSFORMS = {1: "normal", 2: "180", 3: "270", 4: "90"}
# Of iio-sensor-proxy: the edge of the panel at which the interface is upright. It has no words for the faces.
EDGES = {pose.orientation: pose.proxy_word for pose in ALL_SIX if pose.proxy_word}
NO_EDGE = "undefined"
BEGINS_PER_CLIENT = 64              # MaxBeginsPerClient's default


class Screen:
    """The interface on a portrait panel, which supports all four orientations."""

    def __init__(self, kept=None, locked=False):
        self.current = kept or 1
        self.locked = locked
        self._chosen = kept is not None
        self.is_decided = False     # by the device, a person or the lock; from then on
        self._device = UNKNOWN
        self._last_upright = None

    def settle(self):
        self.is_decided |= self.locked or self._chosen or self._last_upright is not None

    def device_turned(self, orientation):
        if orientation == self._device:
            return
        self._device = orientation
        if orientation in INTERFACE_NAMES:
            is_turn = self._last_upright not in (None, orientation)
            self._last_upright = orientation
            if is_turn or not self._chosen:
                self._follow()

    def unlock(self):
        self.locked = self._chosen = False
        self._follow()

    def rotate(self, orientation):
        if orientation != self.current or not self.is_decided:
            self.current, self._chosen = orientation, True

    def attempt_rotation(self):
        if self._device != self.current:
            self._follow()

    def restart(self, device):
        self._device = device

    def _follow(self):
        if not self.locked and self._device in INTERFACE_NAMES:
            self.current, self._chosen = self._device, False


class Edge:
    """The one at which the interface is upright, as iio-sensor-proxy's clients know it: while nobody asks it stays, and a lost sensor has
    none."""

    def __init__(self):
        self.word = NO_EDGE
        self.is_in_doubt = False    # after a loss, while nobody asks, that was noticed or not

    def look(self, interface, has_sensor, is_generating):
        """`interface`: None while nothing has decided on it."""
        if has_sensor and not is_generating:
            return
        self.word = EDGES.get(interface, NO_EDGE) if has_sensor else NO_EDGE
        self.is_in_doubt = False

    @property
    def possible_words(self):
        return {self.word, NO_EDGE} if self.is_in_doubt else {self.word}


class Model:
    def __init__(self, pose):
        self.pose = pose
        self.configuration = Configuration()
        self.hub_is_there = self.chip_is_there = self.keyboard_is_there = False
        self.addresses = {}         # on the bus, of who has claimed the accelerometer
        self.answered_late = set()  # addresses
        self.edge = Edge()
        self._begins = {}
        self._held = None
        self._screen = Screen()
        self.start_step()

    def start_step(self):
        """Forget what was announced up to now."""
        self.changes = defaultdict(list)
        self.edges = []
        self.claimed_before = dict(self.addresses)
        self.edge_was_in_doubt = self.edge.is_in_doubt
        self.signals = []
        self.losses_in_passing = 0
        self.statuses = {"absent", "idle", "starting", "active"}

    # What there is.

    @property
    def sensor(self):
        """Name of the one in use: the hub, of which udev knows where it sits, goes first."""
        return "accel_3d" if self.hub_is_there else "kxcjk1013" if self.chip_is_there else None

    @property
    def is_generating(self):
        return any(self._begins.values()) or bool(self.addresses)

    @property
    def serves_proxy(self):
        return self.configuration.sensor_proxy

    @property
    def is_locked(self):
        return self._screen.locked

    @property
    def interface(self):
        return self._screen.current

    @property
    def is_tracking(self):
        return self.is_generating and self.sensor is not None

    def begins(self, client):
        return self._begins.get(client, 0)

    @property
    def orientation(self):
        if not self.is_generating:
            return UNKNOWN
        return self._tracked if self._held is None else self._held

    @property
    def _tracked(self):
        return self._seen if self.is_tracking else UNKNOWN

    @property
    def _seen(self):
        """How the tablet is held, by the mount matrix that is configured."""
        return UPSIDE_DOWN_OF[self.pose.orientation] if self.configuration.is_upside_down else self.pose.orientation

    @property
    def hears_of_losses(self):
        """Whether a lost sensor is a change to unknown."""
        return self.is_generating and self._held is None

    @property
    def answer(self):
        """To somebody who asks once; None where there is no sensor to ask."""
        if self._held:
            return self._held
        return self._seen if self.sensor else None

    @property
    def properties(self):
        return {"Orientation": self.orientation, "OrientationName": NAMES[self.orientation],
                "GeneratesDeviceOrientationNotifications": self.is_generating,
                "HasAccelerometer": self.sensor is not None,
                "RotationLocked": self._screen.locked,
                "InterfaceOrientation": self._screen.current,
                "InterfaceOrientationName": INTERFACE_NAMES[self._screen.current],
                "Transform": TRANSFORMS[self._screen.current]}

    @property
    def status(self):
        if self.sensor is None:
            return "absent"
        return "active" if self.is_generating else "idle"

    # What happens.

    def turn(self, pose):
        with self._change():
            self.pose = pose

    def plug(self, hub=None, chip=None, keyboard=None):
        """What is there from now on; None leaves it as it is."""
        with self._change():
            self.hub_is_there = self.hub_is_there if hub is None else hub
            self.chip_is_there = self.chip_is_there if chip is None else chip
            self.keyboard_is_there = self.keyboard_is_there if keyboard is None else keyboard

    def lose_in_passing(self, times):
        """The sensor goes and comes so fast that it may be noticed, up to so many times, or not."""
        self.losses_in_passing = times
        if times and not self.is_generating:
            self.edge.is_in_doubt = self.edge_was_in_doubt = True

    def begin(self, client, times=1):
        with self._change():
            self._begins[client] = min(self.begins(client) + times, BEGINS_PER_CLIENT)

    def end(self, client):
        with self._change():
            self._begins[client] -= 1

    def leave(self, client):
        with self._change():
            self._begins.pop(client, None)
            self.addresses.pop(client, None)

    def claim(self, client, address):
        with self._change():
            self.addresses[client] = address

    def claim_again(self, client):
        """The answer to each claim comes after the reading, which is told once more then: in this step or, on a busy machine, later."""
        self.answered_late.add(self.addresses[client])

    def release(self, client):
        with self._change():
            self.addresses.pop(client, None)

    def configure(self, configuration):
        """What a running daemon reloads."""
        with self._change():
            self.configuration = replace(configuration, sensor_proxy=self.configuration.sensor_proxy)

    def lock(self):
        with self._change():
            self._held, self._screen.locked = self._tracked, True

    def asked(self):
        """The orientation was asked for once; locked before any was known, it is held from then on."""
        if self._held == UNKNOWN and self.sensor is not None:
            with self._change():
                self._held = self._seen

    def unlock(self):
        with self._change():
            self._held = None
            self._screen.device_turned(self._tracked)
            self._screen.unlock()

    def rotate(self, orientation):
        with self._change():
            self._screen.rotate(orientation)

    def attempt_rotation(self):
        with self._change():
            self._screen.attempt_rotation()

    def restart(self, sensor_proxy=None):
        """The daemon ends and starts: lock, interface and what its clients have asked for are kept. None: served as before."""
        if sensor_proxy is not None:
            self.configuration = replace(self.configuration, sensor_proxy=sensor_proxy)
        if not self.serves_proxy:
            self.addresses = {}
        self.edge = Edge()
        self._screen.restart(self.orientation)
        self._look()
        self.start_step()

    def _look(self):
        self._screen.settle()
        self.edge.look(self.interface if self._screen.is_decided else None, self.sensor is not None, self.is_generating)

    @contextlib.contextmanager
    def _change(self):
        before, edge = self.properties, self.edge.word
        yield
        if self._held == UNKNOWN:
            self._held = self._tracked      # the first that is known under a lock is held
        if self.orientation != before["Orientation"]:
            self._screen.device_turned(self.orientation)
            # A lost sensor is a change to unknown, and told. The end of the last client's generation is not: nobody asks.
            if self.is_generating:
                self.signals.append(self.orientation)
        self._look()
        if self.edge.word != edge:
            self.edges.append(self.edge.word)
        for name, value in self.properties.items():
            if value != before[name]:
                self.changes[name].append(value)
