# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with HID sensor hubs whose firmware behaves unusually, or which fail while they are sampled."""
import time

from hid_sensor import Firmware
from hid_sensor_hub import REFUSES_SLOW_INTERVALS, REPORTS_CHANGES_ONLY, STREAMS, HidSensorHub
from orientationd_case import BEGIN, OrientationdCase, announced_property, orientation_signal
from poses import LANDSCAPE_RIGHT, PORTRAIT
from waiting import BUSY, wait_until

AT_REST = 8                         # seconds after which a tablet that was put down is left alone
ZEROS = (0, 0, 0)
SATURATED = (32.767, 32.767, 32.767)     # g: the highest count of 16 bits on each axis
POLLING = "polling it instead"


class FirmwareCase(OrientationdCase):
    def plug(self, hub):
        self.iio = self.plug_in(hub)
        return hub

    def put_down(self, hub):
        """It is plugged in, the client listens, and the tablet stands upright, known to."""
        self.plug(hub)
        hub.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)

    def expect_turn(self, hub, pose, within):
        """`within`: seconds from the turn until it was decided, in a quiet guest."""
        position, turned_at = self.signals.position, hub.hold(pose)
        signal = self.expect_signal(orientation_signal(pose.orientation), position, "OrientationDidChange",
                                    timeout=within + 5)
        self.assertLess(signal.arguments[2] / 1e6 - turned_at, BUSY * within)

    def told(self):
        return [entry["MESSAGE"] for entry in self.service.journal()]

    def expect_told(self, words, count=1):
        self.assertEqual(sum(words in message for message in self.told()), count, self.told())


class HubWithAFirmwareOfItsOwnMind(FirmwareCase):
    def test_that_reports_changes_only_from_the_start_is_followed_through_all_six_poses(self):
        hub = self.plug(HidSensorHub(firmware=Firmware(sensitivity=0.03)))
        self.check_all_six_poses(hub)
        self.assertEqual(hub.sensitivity, 0.03)

    def test_that_does_not_heed_its_sensitivity_is_slowed_down_at_rest(self):
        hub = HidSensorHub(firmware=STREAMS)
        self.put_down(hub)
        wait_until(lambda: hub.report_interval > 150, 10, "the slow report interval")
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)
        self.assertIn(("interval", 40), [(entry.what, entry.value) for entry in hub.log])

    def test_that_answers_late_once_is_slowed_down_at_rest_nevertheless(self):
        hub = HidSensorHub(firmware=STREAMS)
        self.put_down(hub)
        hub.hesitate_once(0.2)
        wait_until(lambda: hub.report_interval > 150, 10, "the slow report interval")
        time.sleep(2)
        self.assertGreater(hub.report_interval, 150)

    def test_that_refuses_slow_intervals_wakes_the_daemon_no_more_often_than_one_that_takes_them(self):
        hub = HidSensorHub(firmware=REFUSES_SLOW_INTERVALS)
        self.put_down(hub)
        time.sleep(AT_REST)
        self.assertLess(self.wake_ups(seconds=10), 80)
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)

    def test_whose_noise_is_that_of_a_cheap_chip_is_told_a_sensitivity_above_it(self):
        hub = HidSensorHub(noise=0.01)
        self.put_down(hub)
        time.sleep(2 * AT_REST)
        self.assertLess(self.wake_ups(seconds=20), 40)
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)


class HubThatIsStillToTheCount(FirmwareCase):
    """It reports changes only, whatever it is told, and there are none."""

    def test_is_not_polled_and_wakes_the_daemon_at_most_once_in_ten_seconds_and_a_turn_is_noticed_at_once(self):
        hub = HidSensorHub(firmware=REPORTS_CHANGES_ONLY)
        self.put_down(hub)
        time.sleep(AT_REST)
        self.assertTrue(self.iio.buffer_enabled)
        # The second check comes half a minute after the first, and the third a minute later: the turn is before that.
        self.assertLessEqual(self.checks(seconds=30), 2)
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)
        self.expect_told(POLLING, count=0)

    def test_and_becomes_noisy_costs_no_more_than_one_that_streams(self):
        hub = HidSensorHub(firmware=REPORTS_CHANGES_ONLY)
        self.put_down(hub)
        time.sleep(AT_REST)
        hub.make_noise(0.01)
        wait_until(lambda: hub.report_interval > 150, 2 * AT_REST, "the slow report interval")
        self.assertTrue(self.iio.buffer_enabled)
        self.assertLess(self.wake_ups(seconds=10), 120)
        hub.make_noise(0)
        time.sleep(AT_REST)
        self.assertTrue(self.iio.buffer_enabled)
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)
        self.expect_told(POLLING, count=0)

    def test_and_has_not_reported_anything_since_it_was_opened_is_not_polled_and_its_turn_is_noticed(self):
        hub = HidSensorHub(firmware=Firmware(heeds_sensitivity=False, reports_changes_only=True, reports_at_power_up=False))
        self.put_down(hub)
        time.sleep(2 * AT_REST)
        self.assertTrue(self.iio.buffer_enabled)
        self.assertLessEqual(self.wake_ups(seconds=20), 8)     # a check, whose answers it waits for
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)
        self.expect_told(POLLING, count=0)

    def test_and_stops_to_report_is_polled_when_that_shows_and_no_more_once_it_reports_again(self):
        hub = HidSensorHub(firmware=REPORTS_CHANGES_ONLY)
        self.put_down(hub)
        hub.fall_silent()
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=10)
        wait_until(lambda: not self.iio.buffer_enabled, 5, "the end of the buffer")
        self.expect_told(POLLING)
        self.expect_turn(hub, PORTRAIT, within=2)
        hub.speak_again()
        hub.make_noise(0.001)
        wait_until(lambda: self.iio.buffer_enabled and hub.reports_sent > 5, 60, "the buffer")
        time.sleep(2)
        self.assertTrue(self.iio.buffer_enabled)
        self.expect_turn(hub, LANDSCAPE_RIGHT, within=1)
        self.expect_told("the sensor's buffer works again")


class HubThatBreaks(FirmwareCase):
    """It goes on to report, and what it reports is no gravity."""

    def check_constant(self, constant, firmware):
        hub = HidSensorHub(firmware=firmware)
        self.put_down(hub)
        position = self.signals.position
        hub.measure(*constant)
        self.expect_signal(announced_property("SensorStatus", "silent"), position, "SensorStatus silent")
        self.expect_signal(orientation_signal(0), position, "OrientationDidChange to unknown")
        self.expect_told("a constant that is not gravity")
        position = self.signals.position
        hub.hold(LANDSCAPE_RIGHT)
        self.expect_signal(orientation_signal(LANDSCAPE_RIGHT.orientation), position,
                           "OrientationDidChange", timeout=15)
        self.wait_for_property("SensorStatus", "active")
        self.expect_told("the sensor works again")
        # Asked directly right then, it may be polled for a while.
        wait_until(lambda: self.iio.buffer_enabled, 20, "the buffer")

    def test_and_streams_zeros_is_announced_silent_and_is_back_when_there_is_gravity_again(self):
        self.check_constant(ZEROS, STREAMS)

    def test_and_says_zeros_once_and_no_more_is_announced_silent_and_back_as_well(self):
        self.check_constant(ZEROS, REPORTS_CHANGES_ONLY)

    def test_and_is_saturated_on_all_axes_is_announced_silent_and_back_as_well(self):
        self.check_constant(SATURATED, STREAMS)

    def test_and_streams_zeros_while_the_tablet_is_at_rest_is_noticed_too(self):
        hub = HidSensorHub()
        self.put_down(hub)
        wait_until(lambda: hub.sensitivity > 0, 10, "change sensitivity")
        position = self.signals.position
        hub.measure(*ZEROS)
        self.expect_signal(announced_property("SensorStatus", "silent"), position, "SensorStatus silent")
        self.expect_signal(orientation_signal(0), position, "OrientationDidChange to unknown")

    def test_before_it_has_said_anything_else_is_never_announced_as_active(self):
        hub = self.plug(HidSensorHub(firmware=STREAMS))
        hub.measure(*ZEROS)
        position = self.signals.position
        self.client.call(BEGIN)
        wait_until(lambda: hub.reports_sent > 10, 10, "reports")
        self.assertNotIn("active", self.statuses(position))
        hub.hold(PORTRAIT)
        self.expect_signal(orientation_signal(PORTRAIT.orientation), position, "OrientationDidChange")
        self.assertIn("active", self.statuses(position))
        hub.measure(*ZEROS)
        self.expect_signal(announced_property("SensorStatus", "silent"), position, "SensorStatus silent")
        time.sleep(6)                   # it is tried again meanwhile
        self.assertEqual(self.statuses(position)[-2:], ["active", "silent"])

    def statuses(self, position):
        return [signal.changed_properties()["SensorStatus"] for signal in self.signals.since(position, "PropertiesChanged")
                if "SensorStatus" in signal.changed_properties()]
