# SPDX-License-Identifier: Apache-2.0
"""The checks of the soak itself, without a daemon: what they must accept, and what they must reject."""
import random
import unittest
from types import SimpleNamespace

import soak_events
import soak_figures
import soak_machine_events
from poses import FACE_UP, LANDSCAPE_LEFT, PORTRAIT, PORTRAIT_UPSIDE_DOWN
from soak_figures import Sample
from soak_configuration import Configuration
from soak_journal import BUFFER_WORKS_AGAIN, FROZEN_OR_THAWED, NO_SENSOR, POLLED, SENSOR_FOUND, UnitJournal
from soak_model import NO_EDGE, UNKNOWN, Model
from soak_observer import Desktop
from soak_tablet import neighbours

# What registers events: importing it is enough.
EVENTS = (soak_events, soak_machine_events)


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

    def test_locked_before_anything_is_known_the_first_is_held(self):
        self.model.end("app")
        self.model.lock()
        self.model.asked()
        self.model.turn(LANDSCAPE_LEFT)
        self.assertEqual(self.model.orientation, UNKNOWN)
        self.assertEqual(self.model.answer, PORTRAIT.orientation)
        self.model.begin("app")
        self.assertEqual(self.model.orientation, PORTRAIT.orientation)
        self.model.restart()
        self.assertEqual(self.model.orientation, PORTRAIT.orientation)
        self.model.end("app")
        self.model.restart()
        self.model.begin("app")
        self.assertEqual(self.model.orientation, PORTRAIT.orientation)
        self.model.unlock()
        self.assertEqual(self.model.orientation, LANDSCAPE_LEFT.orientation)

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
        self.assertEqual(self.model.interface, 3)
        self.model.turn(LANDSCAPE_LEFT)
        self.model.turn(PORTRAIT)
        self.assertEqual(self.model.interface, 1)

    def test_a_hub_in_the_keyboard_is_no_sensor(self):
        self.model.plug(hub=False, keyboard=True)
        self.assertIsNone(self.model.sensor)
        self.assertEqual(self.model.status, "absent")

    def test_a_mount_matrix_that_is_reloaded_is_a_turn_and_sensor_proxy_takes_a_restart(self):
        self.model.configure(Configuration(is_upside_down=True, sensor_proxy=True))
        self.assertEqual(self.model.signals, [PORTRAIT_UPSIDE_DOWN.orientation])
        self.assertFalse(self.model.serves_proxy)
        self.model.restart(sensor_proxy=True)
        self.assertTrue(self.model.serves_proxy)

    def test_a_claim_runs_the_sensor_until_it_is_released_or_its_desktop_leaves(self):
        self.model.end("app")
        self.model.claim("desktop", ":1.1")
        self.assertEqual(self.model.orientation, PORTRAIT.orientation)
        self.model.release("desktop")
        self.assertFalse(self.model.is_generating)
        self.model.claim("desktop", ":1.1")
        self.model.leave("desktop")
        self.assertFalse(self.model.is_generating)

    def test_claims_of_who_does_not_read_are_answered_in_this_step_or_later(self):
        self.model.claim("desktop", ":1.1")
        self.model.claim_again("desktop")
        self.model.start_step()
        self.assertEqual(self.model.answered_late, {":1.1"})

    def test_an_edge_stays_while_the_tablet_is_flat_or_nobody_asks_and_goes_and_comes_with_the_sensor(self):
        self.model.turn(LANDSCAPE_LEFT)
        self.model.turn(FACE_UP)
        self.model.end("app")
        self.assertEqual(self.model.edge.word, LANDSCAPE_LEFT.proxy_word)
        self.model.begin("app")
        self.assertEqual(self.model.edge.word, LANDSCAPE_LEFT.proxy_word)
        self.model.plug(hub=False)
        self.assertEqual(self.model.edge.word, NO_EDGE)
        self.model.plug(hub=True)
        self.assertEqual(self.model.edges, [LANDSCAPE_LEFT.proxy_word, NO_EDGE, LANDSCAPE_LEFT.proxy_word])

    def test_an_edge_is_that_of_the_interface_and_there_is_none_before_anything_has_decided(self):
        self.model.rotate(LANDSCAPE_LEFT.orientation)
        self.assertEqual(self.model.edge.word, LANDSCAPE_LEFT.proxy_word)
        self.model.lock()
        self.model.turn(PORTRAIT_UPSIDE_DOWN)
        self.assertEqual(self.model.edge.word, LANDSCAPE_LEFT.proxy_word)
        self.model.restart()
        self.assertEqual(self.model.edge.word, LANDSCAPE_LEFT.proxy_word)
        flat = Model(FACE_UP)
        flat.plug(hub=True)
        flat.begin("app")
        self.assertEqual(flat.edge.word, NO_EDGE)
        flat.lock()
        self.assertEqual(flat.edge.word, PORTRAIT.proxy_word)

    def test_after_a_loss_in_passing_an_edge_may_be_known_or_not_until_somebody_asks(self):
        self.model.turn(LANDSCAPE_LEFT)
        self.model.end("app")
        self.model.lose_in_passing(1)
        self.assertEqual(self.model.edge.possible_words, {LANDSCAPE_LEFT.proxy_word, NO_EDGE})
        self.model.begin("app")
        self.assertEqual(self.model.edge.possible_words, {LANDSCAPE_LEFT.proxy_word})

    def test_a_quarter_turn_leads_to_four_poses(self):
        self.assertEqual(len(neighbours(PORTRAIT)), 4)


class WhatADesktopIsTold(unittest.TestCase):
    def setUp(self):
        self.model = Model(PORTRAIT)
        self.model.plug(hub=True)
        self.model.claim("desktop", ":1.1")
        self.model.start_step()
        self.desktop = Desktop(PORTRAIT.proxy_word)
        self.model.turn(LANDSCAPE_LEFT)

    def problem(self, *words, **more):
        for word in words:
            self.desktop.take({"AccelerometerOrientation": word} | more)
        return self.desktop.problem(self.model, is_new=False)

    def test_is_every_turn_once(self):
        self.assertIn("believes", self.problem())
        self.assertIsNone(self.problem("right-up"))
        self.assertIn("again", self.problem("right-up"))

    def test_may_be_the_same_again_only_where_it_has_claimed_again_and_no_other_edge_then_either(self):
        for word in ("right-up", "right-up"):
            self.desktop.take({"AccelerometerOrientation": word})
        self.assertIn("again", self.desktop.problem(self.model, is_new=False))
        self.assertIsNone(self.desktop.problem(self.model, is_new=False, may_repeat=True))
        for word in ("normal", "right-up"):
            self.desktop.take({"AccelerometerOrientation": word})
        self.assertIn("normal", self.desktop.problem(self.model, is_new=False, may_repeat=True))

    def test_is_no_other_edge_while_the_sensor_goes_and_comes(self):
        self.model.start_step()
        self.desktop = Desktop("right-up")
        self.model.lose_in_passing(1)
        self.assertIsNone(self.problem("undefined", "right-up"))
        self.assertIn("bottom-up", self.problem("undefined", "bottom-up", "right-up"))

    def test_is_no_edge_on_the_way(self):
        self.assertIn("bottom-up", self.problem("bottom-up", "right-up"))

    def test_is_no_loss_of_a_sensor_that_is_there(self):
        self.assertIn("HasAccelerometer", self.problem("right-up", HasAccelerometer=False))


class WhatTheSoakDraws(unittest.TestCase):
    def setUp(self):
        self.model = Model(PORTRAIT)
        self.model.plug(hub=True, chip=True)

    def names(self, seed, has_neighbour=False):
        programs = SimpleNamespace(have_room=True, names=[], that_hear=[])
        soak = SimpleNamespace(chance=random.Random(seed), model=self.model, clients=programs, desktops=programs,
                               neighbour=SimpleNamespace(is_there=has_neighbour))
        return [soak_events.draw(soak).name for _ in range(2000)]

    def test_is_one_course_for_one_seed(self):
        self.assertEqual(self.names(1), self.names(1))
        self.assertNotEqual(self.names(1), self.names(2))

    def test_is_everything_that_a_tablet_lives_through(self):
        drawn = set(self.names(1))
        for name in ("keyboard is attached", "iio sensor proxy comes", "reloaded with a wrong line", "sensor proxy is switched",
                     "daemon is stopped for a while", "daemon is frozen for a while"):
            self.assertIn(name, drawn)
        self.assertNotIn("desktop comes and claims", drawn)
        self.model.restart(sensor_proxy=True)
        self.assertIn("desktop comes and claims", self.names(1))

    def test_is_nothing_that_iio_sensor_proxy_itself_would_not_survive(self):
        drawn = set(self.names(1, has_neighbour=True))
        self.assertIn("iio sensor proxy goes", drawn)
        self.assertFalse(drawn & {"hub is unplugged", "hub is replugged at once", "udev talks", "machine sleeps unannounced",
                                  "sensor proxy is switched"})


class WhatTheSoakFinds(unittest.TestCase):
    @staticmethod
    def samples(values, descriptors=20, process=1):
        return [Sample(process, index / 60, 4000, value, descriptors) for index, value in enumerate(values)]

    def test_memory_that_is_level_but_for_its_beginning_does_not_grow(self):
        self.assertEqual(soak_figures.growths(self.samples([600, 640, 656] + [660] * 40)), [])
        self.assertEqual(soak_figures.growths(self.samples([660, 656] * 20)), [])

    def test_a_heap_that_comes_back_has_not_grown_but_one_beside_it_that_does_not_has(self):
        waves = [576, 576, 576, 580, 576, 572, 572, 588, 588, 588, 584, 604, 596, 596, 596, 600, 592, 584, 596, 600]
        self.assertEqual(soak_figures.growths(self.samples(waves)), [])
        leak = self.samples([650 + 2 * index for index in range(40)], process=2)
        self.assertIn("anonymous grew by", soak_figures.growths(self.samples(waves) + leak)[0])

    def test_a_short_life_that_only_rises_is_no_leak_beside_a_longer_one_that_came_back(self):
        rise = [572, 572, 576, 576, 580, 580, 580, 580, 580, 584, 596, 600, 596]
        self.assertIn("anonymous grew by", soak_figures.growths(self.samples(rise))[0])
        level = [588, 592, 588, 592, 588, 596, 588, 588, 592, 600, 600, 596, 584, 596, 596, 584, 592, 596, 588, 592, 592]
        self.assertEqual(soak_figures.growths(self.samples(rise) + self.samples(level, process=2)), [])
        leak = [588 + 4 * index for index in range(len(level))]
        self.assertIn("anonymous grew by", soak_figures.growths(self.samples(rise) + self.samples(leak, process=2))[0])

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
        journal.allow(**{NO_SENSOR: 1})
        self.assertEqual(self.unexplained(journal, SENSOR_FOUND, NO_SENSOR), [])
        self.assertEqual(len(self.unexplained(journal, SENSOR_FOUND, NO_SENSOR)), 2)

    def test_a_freeze_needs_an_explanation_although_systemd_says_it_without_an_id(self):
        journal = UnitJournal("none.service")
        frozen = {"SYSLOG_IDENTIFIER": "systemd", "MESSAGE": "orientationd.service: Unit now frozen."}
        journal.arrive([frozen])
        self.assertEqual(len(journal.unexplained()), 1)
        journal.allow(**{FROZEN_OR_THAWED: 1})
        journal.arrive([frozen])
        self.assertEqual(journal.unexplained(), [])

    def test_that_a_sensor_is_polled_needs_a_reason_of_this_event_or_the_last_and_is_told_once(self):
        journal = UnitJournal("none.service")
        self.assertEqual(len(self.unexplained(journal, POLLED)), 1)
        journal.allow_polling("^other: ")
        self.assertEqual(len(self.unexplained(journal, POLLED)), 1)
        journal.allow_polling("^chip: ")
        journal.allow_polling()
        self.assertEqual(self.unexplained(journal, POLLED), [])
        self.assertEqual(len(self.unexplained(journal, POLLED)), 1)
        journal.daemon_starts()
        journal.allow_polling()
        self.assertEqual(len(self.unexplained(journal, POLLED)), 1)

    def test_a_buffer_works_again_only_after_it_did_not(self):
        journal = UnitJournal("none.service")
        self.assertEqual(len(self.unexplained(journal, BUFFER_WORKS_AGAIN)), 1)
        journal.allow_polling("^chip: ")
        self.assertEqual(self.unexplained(journal, POLLED, BUFFER_WORKS_AGAIN), [])
        self.assertEqual(len(self.unexplained(journal, BUFFER_WORKS_AGAIN)), 1)

    def unexplained(self, journal, *ids):
        journal.arrive([{"MESSAGE_ID": id, "MESSAGE": "chip: some words"} for id in ids])
        return journal.unexplained()


if __name__ == "__main__":
    unittest.main()
