# SPDX-License-Identifier: Apache-2.0
"""The soak's own judgement, without a daemon: what it must take for right, and what for wrong."""
import unittest

import soak_figures
from poses import FACE_UP, LANDSCAPE_LEFT, PORTRAIT
from soak_figures import Sample
from soak_journal import NO_SENSOR, POLLED, SENSOR_FOUND, UnitJournal
from soak_model import UNKNOWN, Model
from soak_tablet import neighbours


class WhatTheSoakExpects(unittest.TestCase):
    def setUp(self):
        self.model = Model(PORTRAIT)
        self.model.plug(hub=True)
        self.model.begin("app")
        self.model.start_step()

    def test_a_turn_is_announced_once_and_the_interface_follows_unless_it_is_flat(self):
        self.model.turn(LANDSCAPE_LEFT)
        self.model.turn(FACE_UP)
        self.assertEqual(self.model.signals, [LANDSCAPE_LEFT.orientation, FACE_UP.orientation])
        self.assertEqual(self.model.changes["InterfaceOrientationName"], ["landscapeRight"])
        self.assertEqual(self.model.changes["Transform"], ["270"])

    def test_locked_nothing_is_announced_and_unlocked_one_change(self):
        self.model.lock()
        self.model.turn(FACE_UP)
        self.model.turn(LANDSCAPE_LEFT)
        self.assertEqual(self.model.signals, [])
        self.model.unlock()
        self.assertEqual(self.model.signals, [LANDSCAPE_LEFT.orientation])

    def test_a_lost_sensor_is_told_and_the_end_of_the_last_client_is_not(self):
        self.model.plug(hub=False)
        self.model.plug(hub=True)
        self.assertEqual(self.model.signals, [UNKNOWN, PORTRAIT.orientation])
        self.model.end("app")
        self.assertEqual(self.model.signals, [UNKNOWN, PORTRAIT.orientation])
        self.assertEqual(self.model.orientation, UNKNOWN)

    def test_by_hand_holds_until_the_next_turn_and_over_a_restart(self):
        self.model.rotate(3)
        self.model.restart()
        self.model.begin("app")
        self.assertEqual(self.model.interface, 3)
        self.model.turn(LANDSCAPE_LEFT)
        self.model.turn(PORTRAIT)
        self.assertEqual(self.model.interface, 1)

    def test_a_quarter_turn_leads_to_four_poses(self):
        self.assertEqual(len(neighbours(PORTRAIT)), 4)


class WhatTheSoakFinds(unittest.TestCase):
    @staticmethod
    def samples(values, descriptors=20, process=1):
        return [Sample(process, index / 60, 4000, value, descriptors) for index, value in enumerate(values)]

    def test_memory_that_is_level_but_for_its_beginning_does_not_grow(self):
        self.assertEqual(soak_figures.growths(self.samples([600, 640, 656] + [660] * 40)), [])
        self.assertEqual(soak_figures.growths(self.samples([660, 656] * 20)), [])

    def test_a_small_leak_is_found_also_over_a_restart(self):
        leak = [650 + index for index in range(40)]
        for samples in (self.samples(leak), self.samples(leak[:20]) + self.samples(leak[:20], process=2)):
            self.assertIn("anonymous grew by", soak_figures.growths(samples)[0])

    def test_one_descriptor_more_is_found(self):
        samples = self.samples([660] * 20) + [Sample(1, (20 + index) / 60, 4000, 660, 21) for index in range(20)]
        self.assertIn("descriptors grew by", soak_figures.growths(samples)[0])

    def test_too_few_samples_prove_nothing(self):
        self.assertIn("too few samples", soak_figures.growths(self.samples([660] * 3))[0])

    def test_a_line_of_the_journal_needs_an_explanation_each_time(self):
        journal = UnitJournal("none.service")
        journal.expect(SENSOR_FOUND)
        journal.allow_hourly(POLLED, "chip")
        self.assertEqual(self.unexplained(journal, SENSOR_FOUND, POLLED), [])
        journal.allow_hourly(POLLED, "chip")
        journal.allow(**{NO_SENSOR: 1})
        self.assertEqual(len(self.unexplained(journal, SENSOR_FOUND, POLLED, NO_SENSOR)), 2)

    def unexplained(self, journal, *ids):
        journal.arrive([{"MESSAGE_ID": id, "MESSAGE": "chip: some words"} for id in ids])
        return journal.unexplained()


if __name__ == "__main__":
    unittest.main()
