# SPDX-License-Identifier: Apache-2.0
"""Programs read motion from the socket of the installed daemon: kinds of sensors, and how they are mounted."""
import hardware_database
from hid_motion_hub import HidMotionHub
from i2c_chip import I2CChip
from i2c_inertial_chip import InertialChip
from motion_case import FOLLOWS, MotionCase, forces
from motion_client import ACCELEROMETER, GYROSCOPE
from orientationd_case import boot_time
from poses import LANDSCAPE_RIGHT, PORTRAIT, read_through
from waiting import wait_until

# systemd's 60-sensor.hwdb has it for the model svnASUSTeK*:*pn*Q551LB.
MATRIX = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))
RATES = (0.25, -0.5, 1)             # rad/s, around the screen's axes


class HubWithAMountMatrix(MotionCase):
    @classmethod
    def setUpClass(cls):
        text = "; ".join(", ".join(map(str, row)) for row in MATRIX)
        cls.enterClassContext(hardware_database.entry("sensor:modalias:platform:HID-SENSOR-200073*", ACCEL_MOUNT_MATRIX=text))
        cls.hub = HidMotionHub(read=read_through(MATRIX, is_hub=True))
        cls.plug_in(cls.hub, "accel_3d", "gyro_3d")

    def test_has_a_gyroscope_that_is_mounted_like_its_accelerometer(self):
        self.hub.accelerometer.hold(PORTRAIT)
        self.hub.gyroscope.turn(*RATES)
        client = self.connect()
        client.start(GYROSCOPE, 100)
        self.expect_axes(client.wait_for_samples(20, GYROSCOPE), GYROSCOPE, RATES)
        # The accelerometer is not needed for that.
        self.assertFalse(self.hub.accelerometer.powered)
        client.start(ACCELEROMETER, 100)
        self.expect_axes(client.wait_for_samples(20, ACCELEROMETER), ACCELEROMETER, forces(PORTRAIT))


class ChipThatIsPolled(MotionCase):
    @classmethod
    def setUpClass(cls):
        cls.chip = I2CChip()
        cls.iio, = cls.plug_in(cls.chip, cls.chip.iio_name)

    def test_is_read_at_about_the_wanted_rate(self):
        self.chip.hold(PORTRAIT)
        program = self.program(accelerometer=50)
        program.wait_for_samples(80)
        self.assertFalse(self.iio.buffer_enabled)
        samples = program.records.samples
        self.assertEqual(program.records.lost, 0)
        self.expect_axes(samples, ACCELEROMETER, forces(PORTRAIT))
        between = sorted(samples.intervals)
        self.assertAlmostEqual(between[len(between) // 2], 20, delta=5)
        program.end()
        wait_until(lambda: not self.chip.powered, 10, "standby")


class ChipWithBothSensors(MotionCase):
    @classmethod
    def setUpClass(cls):
        cls.chip = InertialChip()
        cls.plug_in(cls.chip, cls.chip.iio_name)

    def test_is_read_at_once_for_both(self):
        self.chip.hold(PORTRAIT)
        self.chip.turn(*RATES)
        client = self.connect()
        client.start(GYROSCOPE, 25)
        self.expect_axes(client.wait_for_samples(20, GYROSCOPE), GYROSCOPE, RATES)
        client.start(ACCELEROMETER, 25)
        client.wait_for_samples(20, ACCELEROMETER)
        self.chip.hold(LANDSCAPE_RIGHT)
        turned_at = boot_time()
        client.wait_for_sample_since(turned_at + 2 * FOLLOWS, ACCELEROMETER)
        # The records of one sensor may come before those of the other.
        client.wait_for_sample_since(client.records.of(ACCELEROMETER).samples[-1].seconds, GYROSCOPE)
        forces_read, rates_read = client.records.of(ACCELEROMETER).samples, client.records.of(GYROSCOPE).samples
        self.expect_axes(forces_read.since(turned_at + FOLLOWS), ACCELEROMETER, forces(LANDSCAPE_RIGHT))
        self.expect_axes(rates_read, GYROSCOPE, RATES)
        times = {record.nanoseconds for record in rates_read}
        self.assertTrue(all(record.nanoseconds in times for record in forces_read[5:-1]))
        self.assertEqual(client.records.lost, 0)
