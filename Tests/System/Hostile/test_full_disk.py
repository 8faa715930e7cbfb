# SPDX-License-Identifier: Apache-2.0
"""The disk of the saved state is full or read-only, really, while others change the lock as often as they may."""

import pwd
import subprocess

import attacks
import neighbours
import service
import users
from case import HostileCase

LOCKED, UNLOCKED = "RotationLocked=yes", "RotationLocked=no"


def run(*command):
    subprocess.run([*map(str, command)], check=True, capture_output=True)


class FullDisk(HostileCase):
    # The bus has no part in it.
    buses = ("dbus-daemon",)

    def mount(self, world):
        """Another disk in place of the folder of the state, with room for this and the next one."""
        self.folder = world.folder / "state"
        owner = pwd.getpwnam(users.SERVICE_USER).pw_uid
        run("mount", "-t", "tmpfs", "-o", f"size=8k,mode=700,uid={owner}", "orientationd", self.folder)
        self.addCleanup(run, "umount", "--lazy", self.folder)

    def saved(self):
        return next(line for line in (self.folder / "state").read_text().splitlines() if "Locked" in line)

    def attack(self, fill, clear):
        world = self.world(lambda user, action, flags: neighbours.YES)
        self.mount(world)
        world.root.ask(service.set_lock(True))
        self.assertEqual(self.saved(), LOCKED)
        fill()
        attacker = world.start(users.NOBODY, attacks.lock_and_unlock, world.address, 1)
        self.assertEqual(self.saved(), LOCKED)
        world.root.ask(service.set_lock(False))
        self.assertEqual(self.saved(), LOCKED)
        self.assert_serves(world)
        attacker.end()
        self.assertEqual(world.root.ask(service.get(service.SCREEN, "RotationLocked")), (("b", False),))
        complaints = [line for line in world.daemon.log if "cannot be saved" in line]
        self.assertEqual(len(complaints), 1, world.daemon.log)
        clear()
        for locked in True, False:
            world.root.ask(service.set_lock(locked))
        self.assertEqual(self.saved(), UNLOCKED)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["state"])
        self.assertEqual(world.daemon.log[-1], "orientationd: the rotation lock is saved again")

    def test_a_full_disk_keeps_the_last_state_and_is_used_again_when_it_has_room(self):
        self.attack(self.fill, lambda: (self.folder / "fill").unlink())

    def fill(self):
        # Without a buffer, so that as much is written as there is room for.
        with open(self.folder / "fill", "wb", buffering=0) as file:
            with self.assertRaises(OSError):
                while True:
                    file.write(bytes(4096))

    def test_a_read_only_disk_keeps_the_last_state_and_is_used_again_when_it_can_be_written(self):
        self.attack(lambda: run("mount", "-o", "remount,ro", self.folder), lambda: run("mount", "-o", "remount,rw", self.folder))
