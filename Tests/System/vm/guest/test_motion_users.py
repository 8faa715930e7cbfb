# SPDX-License-Identifier: Apache-2.0
"""Who may read motion from the socket of the installed daemon, with a real polkit and real logind sessions."""
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from hid_motion_hub import HidMotionHub
from motion_case import MotionCase
from motion_client import ACTIVE, DENIED
from test_sensor_proxy_users import IN_A_SESSION, OWNER, show_screen
from waiting import BUSY, wait_until

HERE = Path(__file__).parent
LAST_NUMBER = Path("/proc/sys/kernel/ns_last_pid")
WITHOUT_A_SESSION = ("setpriv", "--reuid", OWNER, "--clear-groups")


class WhoMayReadMotion(MotionCase):
    @classmethod
    def setUpClass(cls):
        cls.hub = HidMotionHub()
        cls.plug_in(cls.hub, "accel_3d", "gyro_3d")

    def test_who_sits_before_the_screen_may_while_nobody_else_does(self):
        self.addCleanup(show_screen, 1)
        program = self.program(start=IN_A_SESSION, accelerometer=50)
        program.wait_for_samples(20)
        show_screen(2)
        program.wait_for_last_state(DENIED)
        wait_until(lambda: not self.hub.accelerometer.powered, 10, "power-down")
        count = len(program.records.samples)
        show_screen(1)
        program.wait_for_last_state(ACTIVE)
        program.wait_for_samples(20)
        self.assertEqual(program.records.lost, 0)
        self.assertGreater(len(program.records.samples), count)

    def script(self, start, name):
        process = subprocess.Popen([*start, sys.executable, HERE / name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdin.close)
        return process

    def line(self, process, meanwhile=lambda: None):
        """The next one that a process prints."""
        deadline = time.monotonic() + 30 * BUSY
        while not select.select([process.stdout], [], [], 0.01)[0]:
            self.assertLess(time.monotonic(), deadline, "no answer")
            meanwhile()
        return process.stdout.readline()

    def test_the_number_of_a_process_that_has_ended_is_no_permission(self):
        """Another user connects, ends, and keeps the connection; his number comes to a program of the user at the screen."""
        self.program(accelerometer=10).wait_for_samples(1)
        victim = self.script(IN_A_SESSION, "process_numbers.py")
        self.line(victim)
        # The daemon looks when all has happened, as if it had much else to do.
        os.kill(self.service.process, signal.SIGSTOP)
        try:
            thief = self.script(("setpriv", "--reuid", "nobody", "--clear-groups"), "connected_by_a_child.py")
            number = int(self.line(thief))
            victim.stdin.write(f"{number}\n")
            # Without this, the thief would have to start as many processes as there are numbers.
            self.assertEqual(int(self.line(victim, lambda: LAST_NUMBER.write_text(str(number - 1)))), number)
        finally:
            os.kill(self.service.process, signal.SIGCONT)
        thief.stdin.write("read\n")
        samples, *states = map(int, self.line(thief).split())
        print(f"      {number}: {samples} samples, states {states}", flush=True)
        self.assertEqual(samples, 0)
        self.assertIn(states, ([DENIED], []))

    def test_a_user_at_the_screen_whose_child_has_connected_may_not_either(self):
        thief = self.script(IN_A_SESSION, "connected_by_a_child.py")
        self.line(thief)
        thief.stdin.write("read\n")
        samples, *_ = map(int, self.line(thief).split())
        self.assertEqual(samples, 0)

    def test_a_user_without_a_session_may_not(self):
        for sensor, hertz in ("accelerometer", 200), ("gyroscope", 10), ("gravity", 60), ("gravity", 1):
            with self.subTest(sensor=sensor, hertz=hertz):
                program = self.program(start=WITHOUT_A_SESSION, **{sensor: hertz})
                program.wait_for_last_state(DENIED)
                self.assertEqual(program.records.samples, [])
                program.end()
