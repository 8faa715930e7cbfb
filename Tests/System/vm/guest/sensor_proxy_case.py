# SPDX-License-Identifier: Apache-2.0
"""The shared base of the tests of SensorProxy=yes: both daemons, one of which serves net.hadess.SensorProxy at a time, and
a client of that name, which follows the present owner."""
import unittest
from math import isclose

import sensor_proxy_install
from bus import RemoteObject
from bus_client import BusClient
from incumbent import CLAIM, sensor_proxy_interface, sensor_proxy_service
from orientationd_case import forget_state
from systemd_service import SystemdService
from waiting import BUSY, wait_until

CLAIM_LIGHT, RELEASE_LIGHT = "ClaimLight", "ReleaseLight"
CLAIM_PROXIMITY, RELEASE_PROXIMITY = "ClaimProximity", "ReleaseProximity"
CLAIM_COMPASS, RELEASE_COMPASS = "ClaimCompass", "ReleaseCompass"


def compass_interface():
    return RemoteObject("net.hadess.SensorProxy", "/net/hadess/SensorProxy/Compass", "net.hadess.SensorProxy.Compass")


class SensorProxyCase(unittest.TestCase):
    """Each test finds both daemons stopped; the first call on the bus starts ours."""

    @classmethod
    def setUpClass(cls):
        sensor_proxy_install.put_in_place()
        cls.addClassCleanup(sensor_proxy_install.take_away)

    def setUp(self):
        self.proxy = sensor_proxy_interface()
        self.compass = compass_interface()
        self.ours, self.incumbent = SystemdService("orientationd"), sensor_proxy_service()
        for service in self.ours, self.incumbent:
            service.stop()
            service.forget_failures()
            self.addCleanup(service.stop)
        forget_state()
        self.addCleanup(forget_state)

    def new_client(self, remote=None, **keywords):
        return self.enterContext(BusClient(remote or self.proxy, **keywords))

    def plug(self, sensor):
        sensor.plug()
        self.addCleanup(sensor.unplug)
        # The daemon has to be gone before the sensor is: cleanups run last to first.
        self.addCleanup(self.ours.stop)
        self.addCleanup(self.incumbent.stop)

    def expect(self, name, value, remote=None, timeout=10):
        """The property comes to have this value; a number to six digits, as iio-sensor-proxy multiplies numbers of single precision."""
        remote = remote or self.proxy
        said = None

        def arrives():
            nonlocal said
            said = remote.property(name)
            return said == value or isinstance(value, float) and isclose(said, value, rel_tol=1e-6)
        try:
            wait_until(arrives, timeout, name)
        except TimeoutError:
            self.fail(f"{name} is {said}, and does not come to be {value} within {BUSY * timeout} s")


__all__ = ["CLAIM", "CLAIM_COMPASS", "CLAIM_LIGHT", "CLAIM_PROXIMITY", "RELEASE_COMPASS", "RELEASE_LIGHT", "RELEASE_PROXIMITY",
           "SensorProxyCase"]
