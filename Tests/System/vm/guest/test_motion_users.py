# SPDX-License-Identifier: Apache-2.0
"""Who may read motion from the socket of the installed daemon, with a real polkit and real logind sessions."""
from hid_motion_hub import HidMotionHub
from motion_case import MotionCase
from motion_client import ACTIVE, DENIED
from test_sensor_proxy_users import IN_A_SESSION, OWNER, show_screen
from waiting import wait_until

WITHOUT_A_SESSION = ("setpriv", "--reuid", OWNER, "--clear-groups")


class WhoMayReadMotion(MotionCase):
    @classmethod
    def setUpClass(cls):
        cls.hub = HidMotionHub()
        cls.plug_in(cls.hub, "accel_3d", "gyro_3d")

    def test_who_sits_before_the_screen_may_while_nobody_else_does(self):
        self.addCleanup(show_screen, 1)
        program = self.program(start=IN_A_SESSION, accelerometer=200)
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

    def test_a_user_without_a_session_may_not(self):
        for sensor, hertz in ("accelerometer", 200), ("gyroscope", 10), ("gravity", 60), ("gravity", 1):
            with self.subTest(sensor=sensor, hertz=hertz):
                program = self.program(start=WITHOUT_A_SESSION, **{sensor: hertz})
                program.wait_for_last_state(DENIED)
                self.assertEqual(program.records.samples, [])
                program.end()
