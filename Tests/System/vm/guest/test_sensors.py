# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with several sensors and their udev properties; and the recording of one."""
import subprocess
from pathlib import Path

import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from orientationd_case import BEGIN, OrientationdCase
from poses import FACE_UP, LANDSCAPE_RIGHT, PORTRAIT
from waiting import wait_until

RULES = Path("/run/udev/rules.d/61-sensor-test.rules")
CHOICE_MESSAGE = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0c"
WARNING_MESSAGE = "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0a"


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def tell_udev(rules):
    RULES.parent.mkdir(parents=True, exist_ok=True)
    RULES.write_text(rules)
    udev_again()


def forget_rules():
    RULES.unlink(missing_ok=True)
    udev_again()


def udev_again():
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--subsystem-match=iio", "--settle")


class ChoiceOfASensor(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.hub = HidSensorHub()
        self.hub.plug()
        self.addCleanup(self.hub.unplug)
        self.chip = I2CChip()
        self.chip.plug()
        self.addCleanup(self.chip.unplug)
        self.addCleanup(self.service.stop)
        iio_device.wait_for(self.hub.iio_name)
        iio_device.wait_for(self.chip.iio_name)
        self.addCleanup(forget_rules)
        self.hub.hold(LANDSCAPE_RIGHT)
        self.chip.hold(PORTRAIT)

    def journal(self, message):
        return [entry["MESSAGE"] for entry in self.service.journal() if entry.get("MESSAGE_ID") == message]

    def test_takes_the_one_that_udev_places_in_the_display_and_says_so_once(self):
        tell_udev('SUBSYSTEM=="iio", ATTR{name}=="accel_3d", ENV{ACCEL_LOCATION}="base"\n'
                  'SUBSYSTEM=="iio", ATTR{name}=="kxcjk1013", ENV{ACCEL_LOCATION}="display", '
                  'ENV{ACCEL_MOUNT_MATRIX}="0, 1, 0; -1, 0, 0; 0, 1, 0"\n')
        self.client.call(BEGIN)
        # The chip reads (0, -1, 0): by this matrix, whose third row is of no use, X = -y, Y = x.
        self.wait_for_orientation("landscapeLeft")
        self.assertIn("kxcjk1013", self.device.property("SensorName"))
        # It has no trigger of its own, and must not take the hub's, which can go.
        self.assertEqual(iio_device.find(self.chip.iio_name).read("trigger/current_trigger"), "")
        udev_again()
        self.chip.hold(FACE_UP)
        self.wait_for_orientation("faceUp")
        choice = self.journal(CHOICE_MESSAGE)
        self.assertEqual(len(choice), 1, choice)
        self.assertIn("in the display (ACCEL_LOCATION=display), mount matrix from udev (ACCEL_MOUNT_MATRIX)", choice[0])
        warning = self.journal(WARNING_MESSAGE)
        self.assertEqual(len(warning), 1, warning)
        self.assertIn("singular", warning[0])
        sensors = run("orientationctl", "sensors")
        self.assertIn("The daemon uses kxcjk1013 ", sensors)
        self.assertIn("used for the tablet mode: in the base (ACCEL_LOCATION=base)", sensors)

    def test_changes_to_the_other_when_udev_says_otherwise(self):
        tell_udev('SUBSYSTEM=="iio", ATTR{name}=="accel_3d", ENV{ACCEL_LOCATION}="base"\n')
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        tell_udev('SUBSYSTEM=="iio", ATTR{name}=="kxcjk1013", ENV{ACCEL_LOCATION}="base"\n')
        self.wait_for_orientation(LANDSCAPE_RIGHT.name)


class Recording(OrientationdCase):
    FILE = "/run/recording.csv"

    def setUp(self):
        super().setUp()
        self.hub = HidSensorHub()
        self.hub.plug()
        self.addCleanup(self.hub.unplug)
        self.iio = iio_device.wait_for(self.hub.iio_name)
        self.hub.hold(PORTRAIT)
        self.addCleanup(Path(self.FILE).unlink, missing_ok=True)

    def record(self):
        said = run("orientationctl", "record", "--seconds", "2", self.FILE)
        self.assertIn(f"written to {self.FILE}", said)
        lines = Path(self.FILE).read_text().splitlines()
        return said, lines, [line for line in lines if line[0].isdigit()]

    def test_goes_through_the_buffer_and_says_what_it_is(self):
        _, lines, samples = self.record()
        for remark in ("# driver: hid_sensor_accel_3d", "# sampling: buffered at 25 Hz",
                       "# scan formats: le:s16/32>>0, le:s16/32>>0, le:s16/32>>0",
                       "# mount matrix: none"):
            self.assertIn(remark, lines)
        self.assertTrue(any(line.startswith("# scale: 0.0098066") for line in lines), lines)
        self.assertTrue(samples[-1].endswith(",0.000000,9.806650,0.000000,0,-1000,0"), samples[-1])
        self.assertGreater(len(samples), 25)
        self.assertEqual(run("orientationctl", "classify", self.FILE).split(",")[1].strip(), PORTRAIT.name)
        wait_until(lambda: not self.iio.buffer_enabled, 5, "end of the buffer")

    def test_polls_while_the_daemon_has_the_buffer_and_leaves_it_that(self):
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        said, lines, samples = self.record()
        self.assertRegex(said, r"in use by process \d+ \(orientationd\); polling it instead")
        self.assertIn("# sampling: polled at 25 Hz", lines)
        self.assertTrue(samples[-1].endswith(",0.000000,9.806650,0.000000,0,-1000,0"), samples[-1])
        self.assertTrue(self.iio.buffer_enabled)
        self.hub.hold(LANDSCAPE_RIGHT)
        self.wait_for_orientation(LANDSCAPE_RIGHT.name)
