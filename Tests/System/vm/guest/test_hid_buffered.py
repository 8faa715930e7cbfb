# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with a HID sensor hub: buffered, with the driver's own trigger."""
import time

import iio_device
from hid_sensor_hub import HidSensorHub
from orientationd_case import BEGIN, END, OrientationdCase, announced_property, orientation_signal
from poses import FACE_UP, LANDSCAPE_RIGHT, PORTRAIT
from waiting import BUSY, wait_until

# The kernel's driver keeps the sensor powered for three more seconds after its last use.
POWER_DOWN_TIMEOUT = 10
LONG_ENOUGH_TO_SAMPLE = 2


class HidCase(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.hub = HidSensorHub()
        self.plug_hub()
        self.addCleanup(self.hub.unplug)

    def plug_hub(self):
        self.hub.plug()
        self.iio = iio_device.wait_for(self.hub.iio_name)
        wait_until(lambda: not self.hub.powered, POWER_DOWN_TIMEOUT, "power-down after probing")

    def begin(self):
        """The client generates notifications, and the tablet is held upright and known to be."""
        self.hub.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)

    def expect_sensor_at_rest(self):
        wait_until(lambda: not self.iio.buffer_enabled, 5, "end of the buffer")
        wait_until(lambda: not self.hub.powered, POWER_DOWN_TIMEOUT, "power-down")
        self.expect_no_sampling()

    def expect_no_sampling(self):
        position, sent = len(self.hub.log), self.hub.reports_sent
        time.sleep(LONG_ENOUGH_TO_SAMPLE)
        self.assertEqual(self.hub.power_ups_since(position), [])
        self.assertEqual(self.hub.reports_sent, sent)
        self.assertFalse(self.iio.buffer_enabled)


class OrientationOfATablet(HidCase):
    def test_follows_all_six_poses(self):
        self.check_all_six_poses(self.hub)

    def test_samples_through_the_buffer_at_the_rate_it_tells(self):
        self.begin()
        self.assertTrue(self.iio.buffer_enabled)
        self.assertTrue(self.iio.read("trigger/current_trigger").startswith("accel_3d-dev"))
        self.assertEqual(self.device.property("SensorStatus"), "active")
        self.assertIn(self.hub.iio_name, self.device.property("SensorName"))
        self.assertAlmostEqual(self.device.property("SampleRate"), 1000 / self.hub.report_interval, delta=0.1)

    def test_is_powered_up_where_the_kernel_only_believes_that_it_is(self):
        self.begin()
        self.client.call(END)
        wait_until(lambda: not self.iio.buffer_enabled, 5, "end of the buffer")
        position, sent = len(self.hub.log), self.hub.reports_sent
        self.hub.lose_power()
        self.begin()
        wait_until(lambda: self.hub.reports_sent > sent, 5, "reports of the hub")
        self.assertTrue(self.hub.power_ups_since(position))
        self.assertTrue(self.iio.buffer_enabled)

    def test_answers_a_single_question_and_lets_the_sensor_go(self):
        self.hub.hold(LANDSCAPE_RIGHT)
        self.assertEqual(self.device.call("MeasureOrientation"), [LANDSCAPE_RIGHT.orientation, LANDSCAPE_RIGHT.name])
        self.expect_sensor_at_rest()


class SensorRunsExactlyWhileSomebodyAsks(HidCase):
    def test_not_before_the_first_begin(self):
        self.wait_for_property("HasAccelerometer", True)
        self.assertEqual(self.device.property("SensorStatus"), "idle")
        self.assertFalse(self.device.property("GeneratesDeviceOrientationNotifications"))
        self.expect_no_sampling()

    def test_not_after_the_last_end(self):
        self.begin()
        self.assertTrue(self.device.property("GeneratesDeviceOrientationNotifications"))
        position = self.signals.position
        self.client.call(END)
        self.expect_sensor_at_rest()
        self.assertFalse(self.device.property("GeneratesDeviceOrientationNotifications"))
        self.assertEqual(self.device.property("OrientationName"), "unknown")
        self.assertEqual(self.signals.since(position, "OrientationDidChange"), [])

    def test_not_after_the_last_client_died(self):
        self.begin()
        self.client.kill()
        self.expect_sensor_at_rest()
        self.assertEqual(self.device.property("SensorStatus"), "idle")

    def test_as_long_as_one_of_two_clients_lives(self):
        second = self.new_client()
        self.begin()
        second.call(BEGIN)
        self.client.kill()
        position = self.signals.position
        self.hub.hold(LANDSCAPE_RIGHT)
        self.expect_signal(orientation_signal(4), position, "OrientationDidChange")

    def test_until_every_begin_of_a_client_has_its_end(self):
        self.begin()
        self.client.call(BEGIN)
        self.client.call(END)
        time.sleep(1)
        self.assertTrue(self.iio.buffer_enabled)
        self.client.call(END)
        self.expect_sensor_at_rest()

    def test_not_after_sigterm_which_ends_the_daemon_before_systemd_kills_it(self):
        self.begin()
        self.service.stop()
        self.assertFalse(self.iio.buffer_enabled)
        began, ended = (int(self.service.show(f"{moment}TimestampMonotonic"))
                        for moment in ("ActiveExit", "InactiveEnter"))
        print(f"      ended in {(ended - began) / 1e6:.2f} s", flush=True)
        self.assertEqual(self.service.show("Result"), "success")
        wait_until(lambda: not self.hub.powered, POWER_DOWN_TIMEOUT, "power-down")


class SensorComesAndGoes(HidCase):
    def test_unplugged_while_running_is_unknown_and_signalled(self):
        self.begin()
        position = self.signals.position
        self.hub.unplug()
        self.expect_signal(orientation_signal(0), position, "OrientationDidChange to unknown")
        self.expect_signal(announced_property("SensorStatus", "absent"), position, "SensorStatus absent")
        self.assertEqual(self.device.property("SensorStatus"), "absent")
        self.assertEqual(self.device.property("Orientation"), 0)
        self.assertFalse(self.device.property("HasAccelerometer"))

    def test_plugged_in_again_serves_the_same_client(self):
        self.begin()
        position = self.signals.position
        self.hub.unplug()
        self.expect_signal(orientation_signal(0), position, "OrientationDidChange to unknown")
        self.hub.hold(FACE_UP)
        self.hub.plug()
        self.expect_signal(orientation_signal(5), position, "OrientationDidChange after the return")
        self.assertTrue(self.device.property("HasAccelerometer"))
        self.assertEqual(self.device.property("SensorStatus"), "active")

    def test_first_plugged_in_after_begin(self):
        self.hub.unplug()
        iio_device.wait_for_none(self.hub.iio_name)
        position = self.signals.position
        self.client.call(BEGIN)
        self.assertEqual(self.device.property("SensorStatus"), "absent")
        self.hub.hold(PORTRAIT)
        self.hub.plug()
        self.expect_signal(orientation_signal(1), position, "OrientationDidChange")


class TabletAtRest(HidCase):
    """The hub reports changes only, once the tablet lies still."""

    def put_down(self):
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")

    def test_wakes_the_daemon_at_most_once_in_ten_seconds_and_is_followed_when_it_moves(self):
        self.put_down()
        time.sleep(4)                   # a first look whether the hub still lives
        sent = self.hub.reports_sent
        # The second check comes half a minute after the first, and the third a minute later: the turn is before that.
        self.assertLessEqual(self.checks(seconds=30), 2)
        self.assertEqual(self.hub.reports_sent, sent)
        self.assertEqual(self.device.property("SensorStatus"), "active")
        position, turned_at = self.signals.position, self.hub.hold(LANDSCAPE_RIGHT)
        signal = self.expect_signal(orientation_signal(4), position, "OrientationDidChange")
        self.assertLess(signal.arguments[2] / 1e6 - turned_at, BUSY * 1, "noticed by a check, not by the report")
        self.assertEqual([signal for signal in self.signals.since(position, "PropertiesChanged")
                          if "SampleRate" in signal.changed_properties()], [])

    def test_lets_the_hub_report_everything_again_after_the_last_end(self):
        self.put_down()
        self.client.call(END)
        wait_until(lambda: self.hub.sensitivity == 0, 5, "change sensitivity taken back")

    def test_is_announced_silent_where_the_hub_died_meanwhile(self):
        self.put_down()
        position = self.signals.position
        self.hub.die()
        # The kernel waits 20 s for an answer.
        self.expect_signal(announced_property("SensorStatus", "silent"), position, "SensorStatus silent", timeout=50)


class TwoKindsOfHub(OrientationdCase):
    def test_one_with_32_bit_axes_follows_all_six_poses(self):
        hub = HidSensorHub(axis_bits=32)
        hub.plug()
        self.addCleanup(hub.unplug)
        iio_device.wait_for(hub.iio_name)
        self.check_all_six_poses(hub)
