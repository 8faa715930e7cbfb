# SPDX-License-Identifier: Apache-2.0
"""One user, or several together, cannot use up all places: root is still served."""

import attacks
import neighbours
import service
import users
from case import HostileCase
from connection import Connection, Refused
from users import FOURTH, NOBODY, SECOND, THIRD


class Accounts(HostileCase):
    def fill(self, world, attackers, connections, calls, make):
        """Has users hold calls; how each was answered so far."""
        held = [world.start(user, attacks.hold_calls, world.address, connections, calls, make) for user in attackers]
        return [each.proceed() for each in held]

    def ask_as_root(self, world, call, expected=()):
        """Root's answer, on a connection of its own."""
        with Connection(world.address) as root:
            try:
                root.ask(call, 15)
            except Refused as refusal:
                self.assertIn(refusal.name, expected, str(refusal))
            except TimeoutError:
                self.fail("root is not answered")

    def test_agents_that_never_answer_leave_root_its_lock(self):
        world = self.world(neighbours.silent_to_others)
        self.fill(world, [NOBODY], 8, 8, attacks.lock_with_password)
        self.ask_as_root(world, service.set_lock(True))

    def test_agents_of_four_users_that_never_answer_leave_root_its_lock(self):
        world = self.world(neighbours.silent_to_others)
        self.fill(world, [NOBODY, SECOND, THIRD, FOURTH], 32, 8, attacks.lock_with_password)
        self.ask_as_root(world, service.set_lock(True))

    def test_agents_that_never_answer_leave_another_user_a_question(self):
        world = self.world(lambda user, action, flags: None if user == NOBODY else neighbours.YES)
        self.fill(world, [NOBODY], 64, 8, attacks.lock_with_password)
        answered = world.start(SECOND, attacks.hold_calls, world.address, 1, 1, attacks.lock_with_password).proceed()
        self.assertEqual(answered, {"answered": 1})

    def test_questions_without_a_password_that_are_never_answered_leave_root_its_lock(self):
        world = self.world(neighbours.silent_to_others)
        self.fill(world, [NOBODY, SECOND], 32, 8, lambda: service.set_lock(True))
        self.ask_as_root(world, service.set_lock(True))

    def test_calls_that_wait_for_a_silent_sensor_leave_root_a_place(self):
        world = self.world(sensor="silent")
        # Those of the attackers end after 3 s, so root has to come in time.
        for user in NOBODY, SECOND, THIRD, FOURTH:
            world.start(user, attacks.hold_calls, world.address, 32, 8, attacks.get_orientation)
        self.ask_as_root(world, attacks.get_orientation(), ["org.orientationd1.Error.SensorUnavailable"])

    def test_subscribers_of_four_users_leave_root_a_place(self):
        world = self.world()
        for user in NOBODY, SECOND, THIRD, FOURTH:
            world.start(user, attacks.subscribe, world.address, 80, attacks.begin)
        self.ask_as_root(world, attacks.begin())

    def test_claims_of_four_users_leave_root_a_place(self):
        world = self.world(lambda user, action, flags: neighbours.YES)
        for user in NOBODY, SECOND, THIRD, FOURTH:
            world.start(user, attacks.subscribe, world.address, 80, lambda: service.proxy("ClaimAccelerometer"))
        self.ask_as_root(world, service.proxy("ClaimAccelerometer"))

    def test_claims_whose_questions_are_never_answered_leave_root_its_claim(self):
        world = self.world(neighbours.silent_to_others)
        self.fill(world, [NOBODY, SECOND], 32, 8, lambda: service.proxy("ClaimAccelerometer"))
        self.ask_as_root(world, service.proxy("ClaimAccelerometer"))

    def test_a_user_who_has_many_places_gets_them_back(self):
        world = self.world(neighbours.silent_to_others)
        with users.Process(NOBODY, attacks.hold_calls, world.address, 8, 8, attacks.lock_with_password) as attacker:
            attacker.proceed()
        self.ask_as_root(world, service.set_lock(True))
        answered = world.start(SECOND, attacks.hold_calls, world.address, 1, 1, attacks.get_orientation).proceed()
        self.assertEqual(answered, {"answered": 1})
