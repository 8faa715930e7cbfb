# SPDX-License-Identifier: Apache-2.0
"""Programs at the motion socket can neither keep the daemon from serving others nor use up what it has."""

import contextlib
import os
import signal
import socket
import time
from itertools import product

import motion
import neighbours
import service
from case import HostileCase, figures
from connection import Connection
from users import FOURTH, NOBODY, ROOT, SECOND, THIRD

GARBAGE = [b"\0", b"\xff" * 16, bytes(15), motion.request() + b"\0", motion.request(99), motion.request(interval=0),
           motion.request(interval=4999), motion.request(kind=7), motion.request(interval=2**32 - 1), b"x" * 100_000]


# How long root waits for its first sample at most, in seconds: a slow machine runs several daemons beside.
PATIENCE = 5


def allows_everybody(user, action, flags):
    return neighbours.YES


@contextlib.contextmanager
def stopped(daemon):
    """The daemon looks when all has happened."""
    os.kill(daemon.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(daemon.pid, signal.SIGCONT)


class MotionSocket(HostileCase):
    # The bus has no part in it.
    buses = ("dbus-daemon",)

    def read_as_root(self, world):
        """Root gets a stream, whatever others do; how many samples of two seconds at 50 Hz."""
        began = time.monotonic()
        with motion.Program(world.daemon.motion) as program:
            self.assertTrue(program.send(motion.request()))
            self.assertEqual(program.last_state(), motion.ACTIVE)
            self.assertLess(time.monotonic() - began, PATIENCE)
            return program.samples(2)

    def test_streams_of_four_users_that_nobody_reads_leave_root_its_samples(self):
        world = self.world(allows_everybody)
        before = figures(world)
        crowds = [world.start(user, motion.never_read, world.daemon.motion, 100, motion.ACCELEROMETER, 5000)
                  for user in (NOBODY, SECOND, THIRD, FOURTH)]
        self.assertEqual([crowd.first for crowd in crowds], [100] * 4)
        time.sleep(2)
        count, lost = self.read_as_root(world)
        self.assertGreater(count, 80)
        self.assertEqual(lost, 0)
        self.assert_serves(world)
        print(f"      {count} samples in 2 s; {self.obituary(world)}", flush=True)
        self.assertLessEqual(world.daemon.descriptors(), before[0] + 2 * 200 + 16)
        for crowd in crowds:
            crowd.end()
        self.assert_level(before, world, descriptors=4)

    def test_a_user_without_permission_gets_no_samples(self):
        world = self.world()
        attacker = world.start(NOBODY, motion.never_read, world.daemon.motion, 4, motion.GRAVITY, 20_000)
        self.assertEqual(attacker.proceed(), [motion.DENIED] * 4)
        self.assertEqual(service.sensor_status(world.root), "idle")

    def test_questions_that_polkit_never_answers_leave_root_its_samples_and_its_lock(self):
        world = self.world(neighbours.silent_to_others)
        for user in NOBODY, SECOND, THIRD, FOURTH:
            world.start(user, motion.never_read, world.daemon.motion, 64, motion.GRAVITY, 20_000)
        # Four times as long as polkit may take: 32 questions at a time.
        with Connection(world.address) as root:
            root.ask(service.set_lock(True), 15)
        with motion.Program(world.daemon.motion, timeout=60) as program:
            self.assertTrue(program.send(motion.request()))
            self.assertEqual(program.last_state(60), motion.ACTIVE)
        self.assert_serves(world)

    def test_programs_that_connect_again_and_again_leave_others_their_turn(self):
        world = self.world(allows_everybody)
        before = figures(world)
        attackers = [world.start(user, motion.connect_again_and_again, world.daemon.motion, 5) for user in (NOBODY, SECOND)]
        for attacker in attackers:
            attacker.begin()
        time.sleep(1)
        spent = world.daemon.processor_seconds()
        self.assert_serves(world)
        count, _ = self.read_as_root(world)
        self.assertGreater(count, 50)
        self.assert_serves(world)
        spent = world.daemon.processor_seconds() - spent
        connections = [attacker.answer() for attacker in attackers]
        print(f"      {connections} connections in 5 s; {spent:.1f} s of a processor; {count} samples in 2 s", flush=True)
        self.assert_level(before, world, descriptors=4)

    def test_descriptors_whose_end_takes_long_hold_up_nobody_and_no_end(self):
        for can_refuse in True, False:
            world = self.world()
            if not can_refuse:
                world.daemon.let_descriptors_pass()
            # At the first byte, at a later one, behind a request, at an urgent byte. The daemon never reads what NOBODY sends: it does not
            # know that user.
            for user, (before, data, flags) in product((SECOND,) if can_refuse else (NOBODY, SECOND), (
                    (None, motion.request(), 0), (b"x", motion.request(), 0), (motion.request(), b"x", 0),
                    (None, b"x", socket.MSG_OOB), (motion.request()[:8], b"x", socket.MSG_OOB))):
                with self.subTest(can_refuse=can_refuse, user=user, before=before, flags=flags):
                    with stopped(world.daemon):
                        attacker = world.start(user, motion.send_lingering, world.daemon.motion, 2, 30, before, data, flags)
                    time.sleep(0.2)
                    self.assert_serves(world)
                    self.assertEqual(self.read_as_root(world)[1], 0)
                    print(f"      sent: {attacker.first}", flush=True)
            began = time.monotonic()
            self.assertEqual(world.daemon.end(), 0)
            self.assertLess(time.monotonic() - began, 20)

    def test_descriptors_whose_end_takes_long_do_not_use_up_the_daemons_own(self):
        world = self.world()
        world.daemon.let_descriptors_pass()
        before = figures(world)
        with stopped(world.daemon):
            attacker = world.start(NOBODY, motion.leave_lingering, world.daemon.motion, 1200, 60)
        connections = attacker.proceed()
        self.assert_serves(world)
        print(f"      {connections} connections; {world.daemon.descriptors() - before[0]} descriptors more", flush=True)
        # Also while it goes on.
        self.assertEqual(self.read_as_root(world)[1], 0)
        self.assertLess(world.daemon.descriptors(), before[0] + 256)
        attacker.end()
        self.assertEqual(self.read_as_root(world)[1], 0)
        self.assert_level(before, world, descriptors=4)

    def test_a_descriptor_behind_the_end_of_its_program_holds_up_nobody(self):
        world = self.world()
        world.daemon.let_descriptors_pass()
        attacker = world.start(SECOND, motion.close_unread, world.daemon.motion, 30)
        with stopped(world.daemon):
            attacker.proceed()
        for _ in range(5):
            self.assert_serves(world)
            time.sleep(0.1)
        self.assertEqual(self.read_as_root(world)[1], 0)

    def test_connections_that_are_closed_by_halves_and_not_read_leave_others_their_place(self):
        world = self.world(allows_everybody)
        before = figures(world)
        # The thread that sends must not end meanwhile.
        world.start(ROOT, motion.never_read, world.daemon.motion, 1, motion.GRAVITY, 1_000_000)
        for user in SECOND, THIRD, FOURTH:
            world.start(user, motion.leave_half, world.daemon.motion, 64)
        self.assertEqual(self.read_as_root(world)[1], 0)
        print(f"      {world.daemon.descriptors() - before[0]} descriptors more", flush=True)
        self.assertLess(world.daemon.descriptors(), before[0] + 16)

    def test_requests_in_single_bytes_leave_others_their_turn(self):
        world = self.world(allows_everybody)
        before = figures(world)
        attackers = [world.start(user, motion.send_in_bytes, world.daemon.motion, 4) for user in (NOBODY, SECOND)]
        for attacker in attackers:
            attacker.begin()
        self.assert_serves(world)
        self.assertEqual(self.read_as_root(world)[1], 0)
        print(f"      {[attacker.answer() for attacker in attackers]} bytes in 4 s", flush=True)
        self.assert_level(before, world, descriptors=4)

    def test_a_permission_that_polkit_takes_back_ends_at_once(self):
        world = self.world(None)
        polkit = world.start(ROOT, neighbours.polkit_that_changes_its_mind, world.address, 6)
        polkit.begin()
        reader = world.start(SECOND, motion.read_until_denied, world.daemon.motion, 60)
        states, has_samples = reader.proceed()
        self.assertTrue(has_samples)
        self.assertEqual(states[-1:], [motion.DENIED])

    def test_requests_of_all_kinds_with_and_without_descriptors_leave_nothing_behind(self):
        world = self.world(allows_everybody)
        before = figures(world)
        null = os.open("/dev/null", os.O_RDONLY)
        self.addCleanup(os.close, null)
        for descriptors in (), (null,) * 250:
            attacker = world.start(NOBODY, motion.send_garbage, world.daemon.motion, GARBAGE, descriptors, 3)
            attacker.begin()
            time.sleep(1)
            self.assert_serves(world)
            attacker.answer()
            self.assert_level(before, world, descriptors=4)
        self.assertEqual(self.read_as_root(world)[1], 0)
