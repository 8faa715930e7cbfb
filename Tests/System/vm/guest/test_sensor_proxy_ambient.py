# SPDX-License-Identifier: Apache-2.0
"""Light, proximity and compass for iio-sensor-proxy's clients, with real drivers and under the real unit; and the readings of
iio-sensor-proxy with the same devices."""
import hardware_database
import iio_device
from hid_ambient_sensors import HidCompass, HidLightSensor
from i2c_light_chip import I2CLightChip
from machine_sleep import SleepToldByLogind
from sensor_proxy_case import (CLAIM_COMPASS, CLAIM_LIGHT, CLAIM_PROXIMITY, RELEASE_COMPASS, RELEASE_LIGHT, RELEASE_PROXIMITY,
                               SensorProxyCase)
from waiting import wait_until

POWER_DOWN_TIMEOUT = 10             # the kernel's drivers keep a sensor powered for some seconds after its last use
NOTICE = 5                          # of syslog's priorities
LUX = (250.0, 0.0, 12.5)
DEGREES = (90.0, 271.0, 0.0)


class AmbientCase(SensorProxyCase):
    def expect_silent_journal(self):
        """Nothing that anybody would have to look at."""
        warnings = [entry["MESSAGE"] for entry in self.ours.journal() if int(entry["PRIORITY"]) < NOTICE]
        self.assertEqual(warnings, [])


class HidHubs(AmbientCase):
    def setUp(self):
        super().setUp()
        self.light, self.needle = HidLightSensor(LUX[-1]), HidCompass(DEGREES[-1])
        for sensor in self.light, self.needle:
            self.plug(sensor)
            iio_device.wait_for(sensor.iio_name)

    def follow(self):
        """What a daemon says of each value, once it says something else than of the one before."""
        clients = self.new_client(), self.new_client(self.compass)
        clients[0].call(CLAIM_LIGHT)
        clients[1].call(CLAIM_COMPASS)
        for lux, degrees in zip(LUX, DEGREES):
            self.light.measure(lux)
            self.needle.point(degrees)
            self.expect("LightLevel", lux, clients[0])            # for who has claimed alone
            self.expect("CompassHeading", degrees, clients[1])
        return clients

    def test_say_what_they_say_to_iio_sensor_proxy_and_rest_when_nobody_has_claimed_them(self):
        self.expect("HasAmbientLight", True)
        self.expect("HasCompass", True, self.compass)
        self.assertFalse(self.proxy.property("HasProximity"))
        self.expect_at_rest()
        lamp, sailor = self.follow()
        self.assertEqual(self.proxy.property("LightLevel"), 0)
        self.assertEqual(self.proxy.property("LightLevelUnit"), "lux")
        for name in "als", "magn_3d":
            self.assertTrue(iio_device.find(name).buffer_enabled, name)
        lamp.call(RELEASE_LIGHT)
        sailor.call(RELEASE_COMPASS)
        self.light.measure(500.0)
        self.expect_at_rest()
        self.expect_silent_journal()
        self.ours.stop()
        self.incumbent.start()
        self.follow()

    def expect_at_rest(self):
        for sensor in self.light, self.needle:
            wait_until(lambda: not sensor.powered, POWER_DOWN_TIMEOUT, f"power-down of {sensor.iio_name}")
            self.assertFalse(iio_device.find(sensor.iio_name).buffer_enabled, sensor.iio_name)


class SleepingTablet(AmbientCase):
    def test_lets_the_light_sensor_go_before_and_reads_it_again_after(self):
        light = HidLightSensor(LUX[0])
        self.plug(light)
        device = iio_device.wait_for(light.iio_name)
        client = self.new_client()
        client.call(CLAIM_LIGHT)
        self.expect("LightLevel", LUX[0], client)
        self.assertTrue(device.buffer_enabled)
        told = len(light.log)
        with SleepToldByLogind():
            wait_until(lambda: not device.buffer_enabled, 10, "release of the sensor")
            wait_until(lambda: not light.powered, POWER_DOWN_TIMEOUT, "power-down")
            light.measure(80.0)
        self.expect("LightLevel", 80.0, client)
        self.assertTrue(device.buffer_enabled)
        self.assertTrue(light.power_ups_since(told))
        self.expect_silent_journal()


class LightChipOfAPhone(AmbientCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.enterClassContext(hardware_database.entry("sensor:modalias:i2c:vcnl4040*", PROXIMITY_NEAR_LEVEL=100))

    def setUp(self):
        super().setUp()
        self.chip = I2CLightChip()
        self.plug(self.chip)
        iio_device.wait_for(self.chip.iio_name)
        self.chip.shine(12)

    def follow(self):
        client = self.new_client()
        for method in CLAIM_LIGHT, CLAIM_PROXIMITY:
            client.call(method)
        for lux, counts in ((30, 0), (300, 500), (0, 20)):
            self.chip.shine(lux)
            self.chip.approach(counts)
            self.expect("LightLevel", lux, client)
            self.expect("ProximityNear", counts == 500, client)
        return client

    def test_says_what_it_says_to_iio_sensor_proxy_and_rests_when_nobody_has_claimed_it(self):
        self.expect("HasAmbientLight", True)
        self.expect("HasProximity", True)
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "standby")
        client = self.follow()
        self.assertTrue(self.chip.powered)
        for method in RELEASE_LIGHT, RELEASE_PROXIMITY:
            client.call(method)
        self.chip.shine(500)
        wait_until(lambda: not self.chip.powered, POWER_DOWN_TIMEOUT, "standby")
        self.expect_silent_journal()
        self.ours.stop()
        self.incumbent.start()
        self.follow()
