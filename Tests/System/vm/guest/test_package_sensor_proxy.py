# SPDX-License-Identifier: Apache-2.0
"""The package with which orientationd replaces iio-sensor-proxy: installed over it, without it, and removed again."""
import subprocess
from pathlib import Path

import iio_device
import incumbent
import packages
import start_by_udev
from bus import CallFailed, RemoteObject
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from i2c_light_chip import I2CLightChip
from incumbent import MonitorSensor
from poses import LANDSCAPE_LEFT, PORTRAIT, PORTRAIT_UPSIDE_DOWN
from systemd_service import systemctl
from test_package import DAEMON_PACKAGE, PackageCase
from waiting import wait_until

NAME = "orientationd-sensor-proxy"
BUS = RemoteObject("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
NO_SENSOR_PROXY = Path("/etc/orientationd.conf.d/no-sensor-proxy.conf")


class SensorProxyPackageCase(PackageCase):
    """Each test finds iio-sensor-proxy installed and stopped, and so does what comes after."""

    def setUp(self):
        super().setUp()
        self.incumbent, self.proxy = incumbent.sensor_proxy_service(), incumbent.sensor_proxy_interface()
        self.addCleanup(self.put_back)

    def put_back(self):
        if packages.installed_version(NAME):
            packages.dpkg("--purge", NAME)
        if packages.installed_version(incumbent.NAME) is None:
            packages.dpkg("--install", incumbent.PACKAGE)
        self.incumbent.stop()

    def install_over_iio_sensor_proxy(self):
        packages.dpkg("--install", packages.SENSOR_PROXY)
        self.assertIsNone(packages.installed_version(incumbent.NAME))

    def expect_name_of(self, service):
        wait_until(lambda: name_owner() == service.process, 10, f"bus name of {service.unit}")

    def expect_free_name(self):
        wait_until(lambda: name_owner() is None, 10, "free bus name")


class PackageInThePlaceOfIioSensorProxy(SensorProxyPackageCase):
    def test_serves_a_program_that_runs_and_gives_the_name_back(self):
        hub = HidSensorHub()
        hub.plug()
        self.addCleanup(hub.unplug)
        self.incumbent.start()
        with MonitorSensor() as monitor:
            hub.hold(PORTRAIT)
            monitor.wait_for_pose(PORTRAIT)
            position = monitor.position
            self.install_over_iio_sensor_proxy()
            self.expect_name_of(self.service)
            hub.hold(LANDSCAPE_LEFT)
            monitor.wait_for_pose(LANDSCAPE_LEFT, position)
            position = monitor.position
            packages.dpkg("--remove", NAME)
            self.assertIsNone(name_owner())
            self.assertEqual(self.service.show("ActiveState"), "active")
            packages.dpkg("--install", incumbent.PACKAGE)
            self.incumbent.start()
            self.expect_name_of(self.incumbent)
            hub.hold(PORTRAIT_UPSIDE_DOWN)
            monitor.wait_for_pose(PORTRAIT_UPSIDE_DOWN, position)

    def test_starts_the_service_with_the_first_call_unless_it_is_disabled(self):
        self.install_over_iio_sensor_proxy()
        self.service.stop()
        self.expect_free_name()
        self.assertFalse(self.proxy.property("HasAccelerometer"))
        self.assertEqual(self.service.show("ActiveState"), "active")
        systemctl("disable", "--now", self.service.unit)
        self.addCleanup(systemctl, "enable", self.service.unit)
        with self.assertRaises(CallFailed):
            self.proxy.property("HasAccelerometer")
        self.assertEqual(self.service.show("ActiveState"), "inactive")

    def test_leaves_the_last_word_to_the_administrator_and_the_lock_as_it_is(self):
        NO_SENSOR_PROXY.parent.mkdir(exist_ok=True)
        self.addCleanup(NO_SENSOR_PROXY.parent.rmdir)
        NO_SENSOR_PROXY.write_text("[Orientation]\nSensorProxy=no\n")
        self.addCleanup(NO_SENSOR_PROXY.unlink, missing_ok=True)
        self.screen().call("SetRotationLock", "b", True)
        self.install_over_iio_sensor_proxy()
        self.assertTrue(self.screen().property("RotationLocked"))
        self.assertIsNone(name_owner())
        NO_SENSOR_PROXY.unlink()
        self.service.start_afresh()
        self.expect_name_of(self.service)

    def test_is_installed_together_with_the_daemon_on_a_machine_that_never_had_them(self):
        packages.dpkg("--purge", "orientationd")
        subprocess.run(["userdel", "orientationd"], check=True, timeout=100)
        packages.dpkg("--install", DAEMON_PACKAGE, packages.SENSOR_PROXY)
        self.expect_name_of(self.service)
        with BusClient(self.proxy) as client:
            client.call("ClaimLight")

    def test_gives_the_daemon_the_sensors_that_are_there(self):
        chip = self.plug_light_chip()
        self.install_over_iio_sensor_proxy()
        chip.shine(300)
        with BusClient(self.proxy) as client:
            client.call("ClaimLight")
            wait_until(lambda: abs(client.property("LightLevel") - 300) < 1, 10, lambda: f"300, not {client.property('LightLevel')}")
        self.assertEqual(self.service.show("NRestarts"), "0")

    def test_starts_the_service_where_a_sensor_appears_that_is_no_accelerometer(self):
        self.install_over_iio_sensor_proxy()
        self.service.stop()
        self.enterContext(start_by_udev.allowed())
        self.plug_light_chip()
        self.expect_name_of(self.service)
        # The name may come first, where the look at the sensors takes more than a second.
        wait_until(lambda: self.proxy.property("HasAmbientLight"), 10, "the light sensor")

    def plug_light_chip(self):
        chip = I2CLightChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        iio_device.wait_for(chip.iio_name)
        return chip

    def test_leaves_nothing_when_purged(self):
        before = packages.files()
        self.install_over_iio_sensor_proxy()
        self.assertEqual(packages.problems(NAME), [])
        self.expect_name_of(self.service)
        with BusClient(self.proxy) as client:
            client.call("ClaimAccelerometer")
        packages.dpkg("--purge", NAME)
        with self.assertRaises(CallFailed) as refused:
            self.proxy.property("HasAccelerometer")
        self.assertRegex(str(refused.exception), "not provided by any|unknown|activatable")
        self.assertEqual(list(Path("/var/lib/dpkg/info").glob(f"{NAME}.*")), [])
        packages.dpkg("--install", incumbent.PACKAGE)
        self.assertEqual(packages.changes_since(before), {})

    def test_passes_its_own_test(self):
        self.install_over_iio_sensor_proxy()
        self.check("sensor-proxy")


def name_owner():
    """Number of the process that has the bus name; None if there is none."""
    try:
        return BUS.call("GetConnectionUnixProcessID", "s", "net.hadess.SensorProxy")[0]
    except CallFailed:
        return None
