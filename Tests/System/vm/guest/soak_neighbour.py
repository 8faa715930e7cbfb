# SPDX-License-Identifier: Apache-2.0
"""iio-sensor-proxy, which runs beside the daemon for a part of a soak, on the same hub, with its own client that has claimed it."""
import process_figures
from bus import SignalMonitor
from bus_client import BusClient
from iio_device import AUTOSUSPEND
from incumbent import BUFFER_LENGTH, CLAIM, is_called, sensor_proxy_interface, sensor_proxy_service
from soak_observer import PATIENCE, Wrong


class Neighbour:
    def __init__(self, tablet):
        self._tablet = tablet
        self._service = sensor_proxy_service()
        self._client = None
        self._monitor = None
        self.edges_told = 0

    @property
    def is_there(self):
        return self._client is not None

    def come(self, pose):
        self._service.start()
        self._monitor = SignalMonitor(sensor_proxy_interface().service).__enter__()
        self._position = 0
        self._word = None
        self._client = BusClient(sensor_proxy_interface())
        self._client.call(CLAIM)
        self._hub = self._tablet.wait_for_hub()
        self._check_word(pose)
        # 3.7 leaves a buffer that the daemon uses to it, and polls. What is set then is the daemon's.
        self._settings = self._hub.settings if self._hub.read("buffer/length") == BUFFER_LENGTH else None

    def go(self):
        """It ends as it is, and leaves the buffer on."""
        if self.is_there:
            client, self._client = self._client, None
            client.leave()
            self._monitor.__exit__()
            self._service.stop()

    def check(self, pose):
        self._check_word(pose)
        if self._settings is None:
            return
        settings = self._hub.settings
        changes = {name: f"{settings.get(name)}, not {self._settings.get(name)}" for name in settings.keys() | self._settings.keys()
                   if settings.get(name) != self._settings.get(name)}
        if AUTOSUSPEND not in self._settings:
            changes.pop(AUTOSUSPEND, None)  # it could not be read then
        if changes:
            raise Wrong(f"iio-sensor-proxy's hub is set up differently: {changes}")

    def _check_word(self, pose):
        """It has no words for the faces, and says nothing of what it has said."""
        if not pose.proxy_word or pose.proxy_word == self._word:
            return
        if self._monitor.wait_for(is_called(pose), self._position, PATIENCE) is None:
            said = self._monitor.since(self._position)
            raise Wrong(f"iio-sensor-proxy does not say {pose.proxy_word}, but {said}: {self._hub.settings}")
        self._word = pose.proxy_word
        self._position = self._monitor.position
        self.edges_told += 1


def has_buffer_open(process, hub):
    """Whether the kernel gives the samples of the hub's buffer to this process."""
    return hub.buffer_enabled and f"/dev/{hub.path.name}" in process_figures.open_files(process)
