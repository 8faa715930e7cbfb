# SPDX-License-Identifier: Apache-2.0
"""The programs of a soak: they start, subscribe, leave, crash, and some never read their messages."""
from bus_client import BusClient
from incumbent import CLAIM
from orientationd_case import BEGIN, END

RELEASE = "ReleaseAccelerometer"
MOST_APPS = 5                       # each is a process, and the guest is small
MOST_DESKTOPS = 2
FLOOD = 100                         # calls


class Programs:
    def __init__(self, kind, most, remote, model):
        self._kind = kind
        self._most = most
        self._model = model
        self._came = 0
        self.remote = remote
        self._living = {}
        self._deaf = set()

    @property
    def have_room(self):
        return len(self._living) < self._most

    @property
    def names(self):
        return list(self._living)

    @property
    def that_hear(self):
        """They answer."""
        return [name for name in self._living if name not in self._deaf]

    def start(self):
        self._came += 1
        name = f"{self._kind} {self._came}"
        self._living[name] = BusClient(self.remote)
        return name

    def flood(self, name, method):
        """Many calls at once by a program that listens too, and reads nothing any more."""
        self._living[name].listen()
        self._living[name].flood(method, FLOOD)
        self._living[name].freeze()
        self._deaf.add(name)

    def leave(self, name):
        self._remove(name).leave()
        self._model.leave(name)

    def crash(self, name):
        self._remove(name).kill()
        self._model.leave(name)

    def _remove(self, name):
        self._deaf.discard(name)
        return self._living.pop(name)


class Clients(Programs):
    """Apps that know our interface."""

    def __init__(self, remote, model):
        super().__init__("client", MOST_APPS, remote, model)

    def come(self):
        self.begin(self.start())

    def begin(self, name):
        self._living[name].call(BEGIN)
        self._model.begin(name)

    def end(self, name):
        self._living[name].call(END)
        self._model.end(name)

    def end_without_begin(self, name):
        """The error that it is answered with."""
        try:
            self._living[name].call(END)
        except RuntimeError as error:
            return str(error)
        return ""

    def flood(self, name, method):
        super().flood(name, method)
        if method == BEGIN:
            self._model.begin(name, FLOOD)


class Desktops(Programs):
    """They know only iio-sensor-proxy's interface. The bus tells each alone what the sensor that it has claimed says."""

    def __init__(self, remote, model):
        super().__init__("desktop", MOST_DESKTOPS, remote, model)

    def claim(self, name):
        """The edge that is up, as desktops read it once they are answered."""
        program = self._living[name]
        program.call(CLAIM)
        self._model.claim(name, program.unique_name())
        return program.property("AccelerometerOrientation")

    def flood(self, name, method):
        super().flood(name, method)
        self._model.claim_again(name)

    def release(self, name):
        self._living[name].call(RELEASE)
        self._model.release(name)
