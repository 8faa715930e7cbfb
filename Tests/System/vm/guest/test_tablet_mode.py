# SPDX-License-Identifier: Apache-2.0
"""The installed daemon on a convertible without a switch for the tablet mode: a hub in the display, a chip in the base."""
import math
import time

import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import BEGIN, END, announced_property
from poses import Pose
from test_hardware_switches import SwitchCase
from test_sensors import forget_rules, run, tell_udev
from uinput_device import SW_TABLET_MODE
from waiting import wait_until

BASE = 'SUBSYSTEM=="iio", ATTR{name}=="kxcjk1013", ENV{ACCEL_LOCATION}="base"\n'
SETTLED = 2                         # seconds: four readings of the base, of which two must agree


def part(degrees, roll=0):
    """The gravity in a part that is turned about the hinge by so much, 0 on a desk; `roll` raises the right end of the hinge."""
    turn, rise = math.radians(degrees), math.radians(roll)
    held_up_by = (math.sin(rise), math.sin(turn) * math.cos(rise), math.cos(turn) * math.cos(rise))
    return Pose(f"turned by {degrees}", 0, "", held_up_by)


class Convertible(SwitchCase):
    def setUp(self):
        super().setUp()
        self.hub, self.chip = HidSensorHub(), I2CChip()
        for sensor in self.hub, self.chip:
            sensor.plug()
            self.addCleanup(sensor.unplug)
            iio_device.wait_for(sensor.iio_name)
        self.addCleanup(self.service.stop)
        self.addCleanup(forget_rules)
        tell_udev(BASE)

    def fold(self, hinge, pitch=0, roll=0):
        self.chip.hold(part(pitch, roll))
        self.hub.hold(part(pitch + 180 - hinge, roll))

    def mode(self):
        return self.device.property("TabletMode"), self.device.property("TabletModeSource")

    def start(self, hinge):
        self.fold(hinge)
        self.client.call(BEGIN)
        self.wait_for_property("TabletMode", "tablet" if hinge > 200 else "laptop")


class TwoAccelerometers(Convertible):
    def test_give_the_mode_with_hysteresis_in_whatever_way_the_machine_is_held(self):
        self.start(100)
        self.assertEqual(self.mode(), ("laptop", "accelerometers"))
        print("\n  hinge  base  mode")
        for hinge, pitch, mode in ((150, 0, "laptop"), (170, 0, "laptop"), (195, 0, "laptop"), (210, 0, "tablet"),
                                   (320, 90, "tablet"), (355, 180, "tablet"), (270, 135, "tablet"), (190, 0, "tablet"),
                                   (165, 0, "tablet"), (150, 0, "laptop"), (110, 30, "laptop"), (45, -20, "laptop")):
            self.fold(hinge, pitch)
            time.sleep(SETTLED)
            print(f"  {hinge:5}  {pitch:4}  {self.mode()[0]}", flush=True)
            self.assertEqual(self.mode(), (mode, "accelerometers"), f"{hinge} {pitch}")

    def test_do_not_know_the_mode_while_the_axis_of_the_hinge_stands_upright(self):
        self.start(300)
        for roll, mode in ((50, "tablet"), (80, "unknown"), (88, "unknown"), (30, "tablet"), (-85, "unknown"),
                           (0, "tablet")):
            self.fold(300, roll=roll)
            time.sleep(SETTLED)
            self.assertEqual(self.mode(), (mode, "accelerometers"), roll)

    def test_announce_the_mode_and_move_the_interface(self):
        self.service.stop()
        self.configure(FollowIn="tablet")
        self.start(100)
        before = self.signals.position
        self.fold(300)
        self.expect_signal(announced_property("TabletMode", "tablet"), before, "TabletMode tablet")

    def test_are_sampled_in_the_base_only_while_there_are_subscribers(self):
        self.start(100)
        self.assertTrue(self.chip.powered)
        self.client.call(END)
        wait_until(lambda: not self.chip.powered, 10, "power-down of the chip in the base")
        self.assertEqual(self.mode(), ("laptop", "accelerometers"))

    def test_yield_to_a_switch_and_take_over_when_it_is_gone(self):
        self.start(100)
        switch = self.plug(SW_TABLET_MODE, on=[SW_TABLET_MODE])
        self.wait_for_property("TabletMode", "tablet")
        self.assertEqual(self.mode(), ("tablet", "switch"))
        wait_until(lambda: not self.chip.powered, 10, "power-down of the chip in the base")
        self.assertIn("The tablet mode is that of the switch made-up switches", run("orientationctl", "sensors"))
        switch.move(SW_TABLET_MODE, 0)
        self.wait_for_property("TabletMode", "laptop")
        switch.move(SW_TABLET_MODE, 1)
        switch.unplug()
        self.wait_for_property("TabletModeSource", "accelerometers")
        self.wait_for_property("TabletMode", "laptop")

    def test_are_not_used_without_the_one_in_the_base_and_used_again_with_it(self):
        self.start(300)
        self.chip.unbind()
        self.wait_for_property("TabletModeSource", "none")
        self.assertEqual(self.mode(), ("unknown", "none"))
        self.assertEqual(self.device.property("SensorStatus"), "active")
        self.chip.bind()
        self.chip.hold(part(0))
        self.wait_for_property("TabletModeSource", "accelerometers")
        self.wait_for_property("TabletMode", "tablet")

    def test_are_not_used_without_the_one_in_the_display_and_used_again_with_it(self):
        self.start(300)
        self.hub.unplug()
        self.wait_for_property("TabletModeSource", "none")
        self.hub.plug()
        self.fold(100)
        self.wait_for_property("TabletMode", "laptop")

    def test_are_named_by_orientationctl(self):
        sensors = run("orientationctl", "sensors")
        self.assertIn("The tablet mode is that of the angle between the display and the base", sensors)
        self.assertIn("used for the tablet mode: in the base (ACCEL_LOCATION=base)", sensors)
        self.start(100)
        self.assertIn("laptop, by the angle between display and base", run("orientationctl", "status"))
