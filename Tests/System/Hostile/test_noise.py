# SPDX-License-Identifier: Apache-2.0
"""No client can cause an unlimited number of announcements to all clients."""

import attacks
import service
import users
from case import HostileCase
from users import NOBODY, SECOND

SECONDS = 6
# 20 at once and 10 a second after that; and orientations, one for each of some subscriptions.
PACED = 2 * (20 + 10 * SECONDS)
# A client has 100 costly calls at once and 20 a second after that; each may be told thrice.
MOST = 3 * (100 + 20 * SECONDS)


class Announcements(HostileCase):
    def heard(self, *arguments):
        world = self.world()
        rule = f"type='signal',interface='{service.PROPERTIES}',path='{service.PATH}'"
        listener = world.start(SECOND, attacks.listen, world.address, rule, "PropertiesChanged", SECONDS)
        attacker = world.start(NOBODY, attacks.begin_and_end, world.address, SECONDS, *arguments)
        attacker.begin()
        count = listener.proceed(60)
        print(f"      {attacker.answer(60)} calls, {count} announcements in {SECONDS} s", flush=True)
        self.assert_serves(world)
        return count

    def test_begin_and_end_in_a_loop_are_hardly_heard(self):
        self.assertLessEqual(self.heard(), PACED)

    def test_begin_and_end_in_a_loop_are_hardly_heard_of_ever_new_connections(self):
        self.assertLessEqual(self.heard(64), PACED)


class Locking(HostileCase):
    def test_lock_and_unlock_in_a_loop_are_hardly_heard(self):
        world = self.world(lambda user, action, flags: ((True, False, []),))
        rule = f"type='signal',interface='{service.PROPERTIES}',path='{service.PATH}'"
        listener = world.start(SECOND, attacks.listen, world.address, rule, "PropertiesChanged", SECONDS)
        world.closing(users.Process(NOBODY, attacks.lock_and_unlock, world.address, SECONDS)).begin()
        self.assertLessEqual(listener.proceed(60), MOST)
        self.assert_serves(world)
