# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with chips that report motion through an interrupt: at rest it waits for that, and their buffers are stopped."""
import time
from pathlib import Path

from i2c_bosch_motion_chip import BoschMotionChip
from i2c_kionix_motion_chip import KionixMotionChip
from orientationd_case import BEGIN, END, OrientationdCase, orientation_signal
from poses import FACE_UP, LANDSCAPE_LEFT, ONE_TURN, PORTRAIT
from waiting import BUSY, wait_until

# A second of stillness, and up to eight after rests that were short.
REST_TIMEOUT = 15
MESSAGE = "does not report motion by events"
BEFORE_A_LOOK = 4                   # seconds: after five, the daemon would look by itself
LOST_AFTER = 3                      # turns without an event


class MotionEventCase:
    """The same tests for each driver; what does not depend on it is tested with one, below."""
    kind = None                     # the class of the chip
    switch = None                   # the attribute that switches its events on

    def setUp(self):
        super().setUp()
        self.chip = self.kind()
        self.iio = self.plug_in(self.chip)

    def begin(self):
        self.chip.hold(FACE_UP)
        self.client.call(BEGIN)
        self.wait_for_orientation(FACE_UP.name)

    @property
    def waits_for_an_event(self):
        return self.iio.read(self.switch) == "1"

    def wait_for_rest(self):
        wait_until(lambda: self.waits_for_an_event, REST_TIMEOUT, "rest")

    def turn_to(self, pose, timeout=10):
        """Seconds from the turn to the signal."""
        position = self.signals.position
        turned_at = time.monotonic()
        self.chip.hold(pose)
        self.expect_signal(orientation_signal(pose.orientation), position, pose.name, timeout)
        return time.monotonic() - turned_at

    def rest_proven(self):
        """At rest, after an event has come."""
        self.begin()
        self.wait_for_rest()
        self.turn_to(PORTRAIT)
        self.wait_for_rest()

    def test_follows_all_six_poses(self):
        self.check_all_six_poses(self.chip)

    def test_stops_its_buffer_at_rest_and_starts_it_when_it_is_turned(self):
        self.begin()
        self.assertTrue(self.iio.buffer_enabled)
        self.wait_for_rest()
        self.assertFalse(self.iio.buffer_enabled)
        self.turn_to(PORTRAIT)
        self.assertFalse(self.waits_for_an_event)
        self.assertTrue(self.iio.buffer_enabled)

    def test_has_the_daemons_clock_in_its_samples(self):
        self.begin()
        self.assertEqual(self.clock, "boottime")
        self.client.call(END)
        wait_until(lambda: self.clock == "realtime", 5, "the clock from before")

    def test_is_left_as_it_was_found_after_the_last_client(self):
        before = self.state()
        self.begin()
        self.wait_for_rest()
        self.client.call(END)
        wait_until(lambda: self.state() == before, 5, lambda: f"{before}, not {self.state()}")

    def test_is_left_as_it_was_found_by_the_next_daemon_if_one_is_killed_at_rest(self):
        before = self.state()
        self.begin()
        self.wait_for_rest()
        self.kill_daemon_and_client()
        wait_until(lambda: self.state() == before, 20, lambda: f"{before}, not {self.state()}")

    def test_is_left_as_it_was_found_by_the_next_daemon_if_one_is_killed_in_its_second_rest(self):
        before = self.state()
        self.rest_proven()
        self.kill_daemon_and_client()
        wait_until(lambda: self.state() == before, 20, lambda: f"{before}, not {self.state()}")

    def test_is_left_as_it_was_found_by_the_next_daemon_if_one_is_killed_after_a_rest(self):
        before = self.state()
        self.begin()
        self.wait_for_rest()
        self.turn_to(PORTRAIT)
        self.assertTrue(self.iio.buffer_enabled)
        self.kill_daemon_and_client()
        wait_until(lambda: self.state() == before, 20, lambda: f"{before}, not {self.state()}")

    @property
    def clock(self):
        # The kernel ends this text with a zero.
        return self.iio.read("current_timestamp_clock").rstrip("\n\0")

    def complaints(self):
        return sum(MESSAGE in entry["MESSAGE"] for entry in self.service.journal())

    def state(self):
        names = [self.switch, "buffer/enable", "scan_elements/in_accel_x_en", "in_accel_sampling_frequency"]
        return {name: self.iio.read(name) for name in names if Path(self.iio.path, name).exists()}


class KionixChipThatReportsMotion(MotionEventCase, OrientationdCase):
    kind = KionixMotionChip
    switch = "events/in_accel_x_thresh_either_en"

    def test_does_not_wake_the_daemon_at_rest(self):
        self.rest_proven()
        self.assertLess(self.wake_ups(seconds=20), 10)      # at its full rate, 500

    def test_is_followed_at_each_turn_out_of_a_rest(self):
        self.begin()
        for pose in ONE_TURN:
            self.wait_for_rest()
            self.assertLess(self.turn_to(pose), BEFORE_A_LOOK)
        self.assertEqual(self.complaints(), 0)

    def test_is_followed_if_it_is_turned_while_the_daemon_goes_to_rest(self):
        self.rest_proven()
        self.turn_to(FACE_UP)
        for pose in ONE_TURN[:2]:
            self.wait_for_rest()
            self.turn_to(pose)
            wait_until(lambda: not self.iio.buffer_enabled, REST_TIMEOUT, "rest")
            self.assertLess(self.turn_to(FACE_UP), BEFORE_A_LOOK)

    def test_is_looked_at_after_a_jolt_and_rests_on(self):
        self.rest_proven()
        position = self.signals.position
        self.chip.move()
        time.sleep(3)
        self.assertTrue(self.waits_for_an_event)
        self.assertEqual(self.signals.since(position, "OrientationDidChange"), [])

    def test_is_followed_by_looks_if_its_interrupt_never_comes_which_the_journal_says_once(self):
        self.chip.lies = True
        self.begin()
        for pose in ONE_TURN[:LOST_AFTER]:
            self.wait_for_rest()
            self.turn_to(pose, timeout=5)
        self.assertEqual(self.complaints(), 1)
        self.turn_to(ONE_TURN[LOST_AFTER])
        time.sleep(REST_TIMEOUT)
        self.assertFalse(self.waits_for_an_event)
        self.assertTrue(self.iio.buffer_enabled)
        self.turn_to(ONE_TURN[0])
        self.assertEqual(self.complaints(), 1)

    def test_costs_little_and_is_followed_if_it_reports_motion_all_the_time(self):
        self.begin()
        self.wait_for_rest()
        self.chip.storm()
        self.addCleanup(self.chip.calm)
        self.assertLess(self.wake_ups(seconds=20), 200)
        self.turn_to(PORTRAIT)

    def test_is_given_up_at_once_if_another_program_enables_its_buffer_at_rest(self):
        self.rest_proven()
        self.iio.write("buffer/enable", 1)
        self.addCleanup(self.iio.write, "buffer/enable", 0)
        wait_until(lambda: any("polling it instead" in entry["MESSAGE"] for entry in self.service.journal()), BEFORE_A_LOOK / BUSY, "polling")
        self.assertTrue(self.iio.buffer_enabled)
        # Nobody else would switch them off.
        self.assertEqual(self.iio.read(self.switch), "0")

    def test_is_missed_at_once_if_it_is_unplugged_at_rest(self):
        self.rest_proven()
        self.chip.unplug()
        self.addCleanup(self.chip.plug)
        self.wait_for_property("SensorStatus", "absent", timeout=BEFORE_A_LOOK / BUSY)
        self.assertFalse([entry for entry in self.service.journal() if "polling it instead" in entry["MESSAGE"]])

    def test_is_read_in_the_usual_way_if_another_program_uses_its_events(self):
        self.iio.write(self.switch, 1)
        self.addCleanup(self.iio.write, self.switch, 0)
        self.begin()
        time.sleep(5)
        self.assertTrue(self.iio.buffer_enabled)
        self.turn_to(LANDSCAPE_LEFT)
        self.assertEqual(self.iio.read(self.switch), "1")


class BoschChipThatReportsMotion(MotionEventCase, OrientationdCase):
    kind = BoschMotionChip
    switch = "events/in_accel_x_roc_either_en"
