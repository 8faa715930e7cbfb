# SPDX-License-Identifier: Apache-2.0
"""The apps of a soak: they come, ask, go, crash, and some never read what they are sent."""
from bus_client import BusClient
from orientationd_case import BEGIN, END

MOST = 6                            # each is a process, and the guest is small
FLOOD = 100                         # calls


class Clients:
    def __init__(self, remote, model):
        self._remote = remote
        self._model = model
        self._living = {}
        self._deaf = set()
        self._came = 0

    @property
    def have_room(self):
        return len(self._living) < MOST

    @property
    def names(self):
        return list(self._living)

    @property
    def that_hear(self):
        """They answer."""
        return [name for name in self._living if name not in self._deaf]

    def come(self):
        self._came += 1
        name = f"client {self._came}"
        self._living[name] = BusClient(self._remote)
        self.begin(name)

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
        """Many calls at once by a client that listens too, and reads nothing any more."""
        self._living[name].listen()
        self._living[name].flood(method, FLOOD)
        self._living[name].freeze()
        self._deaf.add(name)
        if method == BEGIN:
            self._model.begin(name, FLOOD)

    def leave(self, name):
        self._remove(name).leave()
        self._model.leave(name)

    def crash(self, name):
        self._remove(name).kill()
        self._model.leave(name)

    def _remove(self, name):
        self._deaf.discard(name)
        return self._living.pop(name)
