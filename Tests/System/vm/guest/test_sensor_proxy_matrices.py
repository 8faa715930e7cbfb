# SPDX-License-Identifier: Apache-2.0
"""orientationd's words for a tablet's poses compared with iio-sensor-proxy's: one daemon after the other with the same device, whose
mount matrix is that of a real model and comes from udev's hardware database.

The tilt is not compared, because this iio-sensor-proxy has none. Later ones use the matrix's third row, which is wrong on most
models.
"""
import hardware_database
import iio_device
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from poses import (LANDSCAPE_LEFT, LEANING_BACK_ON_THE_LEFT, LEANING_BACK_ON_THE_RIGHT, PORTRAIT,
                   PORTRAIT_UPSIDE_DOWN, read_through)
from sensor_proxy_case import CLAIM, SensorProxyCase
from waiting import wait_until

# By the names that systemd's 60-sensor.hwdb has for the models.
ASPIRE_SWITCH_10 = ((0, -1, 0), (-1, 0, 0), (0, 0, 1))      # svn*Acer*:*pn*AspireSW5-011
ONE_S1002 = ((-1, 0, 0), (0, 1, 0), (0, 0, -1))             # *Acer*:pnOneS1002
ASUS_Q551LB = ((0, 1, 0), (-1, 0, 0), (0, 0, 1))            # svnASUSTeK*:*pn*Q551LB
AYANEO_2021 = ((0, -1, 0), (0, 0, -1), (1, 0, 0))           # svnAYANEO:pn*2021*
BUSH_TABLET = ((1, 0, 0), (0, -1, 0), (1, 0, 0))            # svnBUSH*:pnBushWindowstablet; it is singular

FOUR_POSES = (PORTRAIT, LEANING_BACK_ON_THE_RIGHT, PORTRAIT_UPSIDE_DOWN, LEANING_BACK_ON_THE_LEFT)
LONG_ENOUGH = 6                     # seconds


class TabletsWithRealMountMatrices(SensorProxyCase):
    def check_words(self, matrix, is_hub=False):
        text = "; ".join(", ".join(map(str, row)) for row in matrix)
        kind = HidSensorHub if is_hub else I2CChip
        match = f"sensor:modalias:{'platform:HID-SENSOR-200073' if is_hub else 'i2c:' + kind.model}*"
        self.enterContext(hardware_database.entry(match, ACCEL_MOUNT_MATRIX=text))
        sensor = kind(read=read_through(matrix, is_hub))
        self.plug(sensor)
        iio_device.wait_for(sensor.iio_name)
        client = self.new_client()
        self.incumbent.start()
        theirs = self.words(client, sensor)
        self.incumbent.stop()
        ours = self.words(client, sensor)       # the claim starts it
        self.assertEqual(ours, theirs)
        self.assertEqual(theirs, [pose.proxy_word for pose in FOUR_POSES])

    def words(self, client, sensor):
        """What the daemon says in each pose: the right word when it comes, else what it says instead."""
        sensor.hold(LANDSCAPE_LEFT)
        client.call(CLAIM)
        return [self.word(sensor, pose) for pose in FOUR_POSES]

    def word(self, sensor, pose):
        said = None

        def is_right():
            nonlocal said
            said = self.proxy.property("AccelerometerOrientation")
            return said == pose.proxy_word
        sensor.hold(pose)
        try:
            wait_until(is_right, LONG_ENOUGH)
        except TimeoutError:
            pass
        return said

    def test_are_told_the_same_on_an_acer_aspire_switch_10(self):
        self.check_words(ASPIRE_SWITCH_10)

    def test_are_told_the_same_on_an_acer_one_s1002(self):
        self.check_words(ONE_S1002)

    def test_are_told_the_same_on_an_asus_q551lb_with_a_hid_hub(self):
        self.check_words(ASUS_Q551LB, is_hub=True)

    def test_are_told_the_same_on_an_ayaneo_2021(self):
        self.check_words(AYANEO_2021)

    def test_are_told_the_same_on_a_bush_tablet_with_a_hid_hub(self):
        self.check_words(BUSH_TABLET, is_hub=True)
