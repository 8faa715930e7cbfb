# SPDX-License-Identifier: Apache-2.0
"""Who may claim a sensor, with a real polkit and real logind sessions."""
import fcntl
import subprocess

from hid_ambient_sensors import HidLightSensor
from sensor_proxy_case import CLAIM, CLAIM_LIGHT, CLAIM_PROXIMITY, SensorProxyCase
from test_rotation_lock import screen_interface
from waiting import wait_until

OWNER = "games"                     # whom each Debian has
# What a display manager does, in short: a session of this user on the screen that is shown.
IN_A_SESSION = ("systemd-run", "--quiet", "--pipe", "--wait", "--collect", f"--property=User={OWNER}", "--property=PAMName=login",
                "--property=TTYPath=/dev/tty1",
                "--property=Environment=XDG_SEAT=seat0 XDG_VTNR=1 XDG_SESSION_TYPE=tty")

VT_ACTIVATE = 0x5606                # linux/vt.h


def show_screen(number):
    """As Ctrl-Alt-F1 does, or the switch to another user."""
    with open("/dev/tty0", "wb") as terminal:
        fcntl.ioctl(terminal, VT_ACTIVATE, number)


class WhoMayClaim(SensorProxyCase):
    def test_who_sits_before_the_screen_may_until_somebody_else_does(self):
        self.addCleanup(show_screen, 1)
        client = self.new_client(start=IN_A_SESSION)
        for method in CLAIM, CLAIM_LIGHT:
            client.call(method)
        show_screen(2)
        wait_until(lambda: "State=online" in self.session(), 10, "another screen")
        with self.assertRaisesRegex(RuntimeError, "AccessDenied"):
            client.call(CLAIM_PROXIMITY)
        client.leave()

    def test_what_who_has_left_the_screen_goes_on_with_has_no_effect_until_he_is_back(self):
        light = HidLightSensor(250.0)
        self.plug(light)
        self.addCleanup(show_screen, 1)
        screen, held = screen_interface(), "portraitUpsideDown"
        before = screen.property("InterfaceOrientationName")
        self.assertNotEqual(before, held)
        # The client runs as the command of a player, which holds the screen until the client ends.
        client = self.new_client(start=(*IN_A_SESSION, "orientationctl", "hold", held, "--"))
        for method in CLAIM, CLAIM_LIGHT:
            client.call(method)
        self.expect("LightLevel", 250.0, client)
        wait_until(lambda: screen.property("InterfaceOrientationName") == held, 30, "hold")
        show_screen(2)
        wait_until(lambda: screen.property("InterfaceOrientationName") == before, 30, "end of the hold")
        wait_until(lambda: not light.powered, 30, "power-down")
        self.assertEqual(client.property("LightLevel"), 0)
        self.assertEqual(client.property("AccelerometerTilt"), "undefined")
        light.measure(80.0)
        show_screen(1)
        wait_until(lambda: screen.property("InterfaceOrientationName") == held, 30, "hold")
        self.expect("LightLevel", 80.0, client)
        client.leave()

    def session(self):
        # That of the seat: since systemd 256, the manager of a user has a session, too.
        seat = subprocess.run(["loginctl", "show-seat", "seat0", "--property=Sessions", "--value"], capture_output=True, text=True)
        return subprocess.run(["loginctl", "show-session", seat.stdout.split()[0]], capture_output=True, text=True).stdout

    def test_a_user_without_a_session_may_not_but_sees_what_there_is(self):
        with self.assertRaisesRegex(RuntimeError, "AccessDenied"):
            self.new_client(start=("setpriv", "--reuid", OWNER, "--clear-groups")).call(CLAIM_LIGHT)
        seen = subprocess.run(["busctl", "get-property", self.proxy.service, self.proxy.path, self.proxy.interface,
                               "HasAmbientLight"], user=OWNER, capture_output=True, text=True, timeout=30)
        self.assertEqual(seen.stdout.strip(), "b false")
