# SPDX-License-Identifier: Apache-2.0
"""The simulated chips with an interrupt line, with the kernel's drivers and without the daemon: their events and their samples."""
import select
import struct
import time
import unittest
from pathlib import Path

import iio_device
from i2c_bosch_motion_chip import BoschMotionChip
from i2c_chip import I2CChip
from i2c_kionix_motion_chip import KionixMotionChip
from iio_events import ACCELERATION, FALLING, RATE_OF_CHANGE, RISING, THRESHOLD, EventQueue
from poses import ALL_SIX, FACE_DOWN, FACE_UP, LANDSCAPE_LEFT, PORTRAIT, Pose, read_by_chip
from waiting import wait_until

STANDARD_GRAVITY = 9.80665
X, Y, Z = 1, 2, 3
# Less than the lowest threshold of both, 7.8 mg.
NEARLY_FACE_UP = Pose("nearly face up", FACE_UP.orientation, "", (0.004, 0, 1))


class ChipCase(unittest.TestCase):
    def plug(self, chip):
        chip.plug()
        self.addCleanup(chip.unplug)
        return iio_device.wait_for(chip.iio_name)

    def triggers(self):
        return sorted((file / "name").read_text().strip() for file in iio_device.DEVICES.glob("trigger*"))


class MotionCase:
    """The same tests for each driver."""
    kind = None                     # the class of the chip
    event = None                    # as in the names of its attributes
    event_kind = None               # as in what it reports

    def setUp(self):
        self.chip = self.kind()
        self.device = self.plug(self.chip)
        self.events = self.enterContext(EventQueue(self.device))

    def enable(self):
        self.device.write(f"events/in_accel_x_{self.event}_en", 1)

    def test_reports_a_turn_with_its_axes_within_a_second(self):
        self.enable()
        began = time.time_ns()
        self.chip.hold(PORTRAIT)        # from face up
        events = self.events.wait(1)
        self.assertEqual({(event.kind, event.channel) for event in events}, {(self.event_kind, ACCELERATION)})
        self.assertEqual({event.axis for event in events}, {Y, Z})
        self.assertTrue(began < events[0].time < time.time_ns())

    def test_reports_each_turn(self):
        self.enable()
        for pose in ALL_SIX:
            self.chip.hold(pose)
            self.assertTrue(self.events.wait(1), pose.name)

    def test_reports_a_jolt(self):
        self.enable()
        self.chip.move()
        self.assertEqual({event.axis for event in self.events.wait(1)}, {X, Y, Z})

    def test_says_nothing_while_it_rests_or_hardly_moves(self):
        self.enable()
        self.chip.hold(NEARLY_FACE_UP)
        self.assertEqual(self.events.wait(1), [])
        self.assertEqual(self.chip.interrupts, 0)

    def test_says_nothing_while_its_event_is_not_enabled(self):
        self.chip.hold(PORTRAIT)
        self.enable()
        self.device.write(f"events/in_accel_x_{self.event}_en", 0)
        self.chip.hold(FACE_DOWN)
        self.assertEqual(self.events.wait(1), [])

    def test_says_nothing_if_it_lies(self):
        self.enable()
        self.chip.lies = True
        self.chip.hold(PORTRAIT)
        self.assertEqual(self.events.wait(1), [])

    def test_says_the_same_all_the_time_in_a_storm(self):
        self.enable()
        self.chip.storm()
        for _ in range(20):
            self.assertTrue(self.events.wait(1))
        self.chip.calm()
        self.events.wait(0.2)
        self.assertEqual(self.events.wait(0.5), [])

    def test_is_read_and_stays_powered_while_its_event_is_enabled(self):
        self.enable()
        self.chip.hold(LANDSCAPE_LEFT)
        for measured, ideal in zip(self.device.acceleration, read_by_chip(LANDSCAPE_LEFT)):
            self.assertAlmostEqual(measured, ideal * STANDARD_GRAVITY, delta=0.05)
        time.sleep(3)
        self.assertTrue(self.chip.powered)

    def test_has_two_triggers(self):
        name = f"{self.chip.iio_name}{{}}-dev{self.device.path.name.removeprefix('iio:device')}"
        self.assertEqual(self.triggers(), [name.format("-any-motion"), name.format("")])

    def test_delivers_samples_with_its_data_ready_trigger_while_its_event_queue_is_open(self):
        for axis in "xyz":
            self.device.write(f"scan_elements/in_accel_{axis}_en", 1)
        trigger = next(name for name in self.triggers() if "motion" not in name)
        self.device.write("trigger/current_trigger", trigger)
        self.chip.hold(PORTRAIT)
        with open(f"/dev/{self.device.path.name}", "rb", buffering=0) as node:
            self.device.write("buffer/enable", 1)
            self.addCleanup(self.device.write, "buffer/enable", 0)
            for _ in range(10):
                self.assertTrue(select.select([node], [], [], 2)[0], "no sample")
                sample = struct.unpack("<3h", node.read(6))
        scale = float(self.device.read("in_accel_scale"))
        for measured, ideal in zip(sample, read_by_chip(PORTRAIT)):
            self.assertAlmostEqual((measured >> 4) * scale, ideal * STANDARD_GRAVITY, delta=0.05)


class KionixChip(MotionCase, ChipCase):
    kind = KionixMotionChip
    event = "thresh_either"
    event_kind = THRESHOLD

    def test_tells_the_direction(self):
        self.enable()
        self.chip.hold(PORTRAIT)
        directions = {event.axis: event.direction for event in self.events.wait(1)}
        self.assertEqual(directions, {Y: FALLING, Z: FALLING})

    def test_obeys_the_threshold_that_is_set(self):
        self.device.write("events/in_accel_x_thresh_either_value", 24)      # of 1/16 g
        self.enable()
        self.chip.hold(PORTRAIT)        # 1 g on each axis
        self.assertEqual(self.events.wait(0.5), [])


class BoschChip(MotionCase, ChipCase):
    kind = BoschMotionChip
    event = "roc_either"
    event_kind = RATE_OF_CHANGE

    def test_tells_one_direction_for_all_axes(self):
        self.enable()
        self.chip.hold(PORTRAIT)
        self.assertEqual({event.direction for event in self.events.wait(1)}, {FALLING})
        self.chip.hold(FACE_UP)
        self.assertEqual({event.direction for event in self.events.wait(1)}, {RISING})


class ChipWithoutAnInterrupt(ChipCase):
    """What tells a program that the events of a chip never come: the driver shows and accepts them all the same."""

    def test_has_events_but_no_trigger(self):
        chip = I2CChip()
        device = self.plug(chip)
        device.write("events/in_accel_x_thresh_either_en", 1)
        self.assertEqual(device.read("events/in_accel_x_thresh_either_en"), "1")
        self.assertEqual(self.triggers(), [])


class ModuleOfTheInterrupt(unittest.TestCase):
    def test_goes_with_the_chip(self):
        chip = KionixMotionChip()
        chip.plug()
        self.assertTrue(Path("/sys/module/chip_with_interrupt").exists())
        chip.unplug()
        self.assertFalse(Path("/sys/module/chip_with_interrupt").exists())
        wait_until(lambda: not list(iio_device.DEVICES.glob("trigger*")), what="end of its triggers")
