# SPDX-License-Identifier: Apache-2.0
"""The shared base of the tests of the motion socket: a tablet, and programs that read its sensors."""
import os
import signal
import unittest

import iio_device
from motion_client import ACCELEROMETER, GYROSCOPE, MotionClient, MotionProgram
from orientationd_case import forget_state
from systemd_service import SystemdService

STANDARD_GRAVITY = 9.80665
FOLLOWS = 0.3                       # seconds after a turn, from which on the samples are of the new pose
# The coarsest counts are those of the KXCJK-1013, and of the BMI160's gyroscope.
TOLERANCE = {ACCELEROMETER: 0.05, GYROSCOPE: 0.003}


def forces(pose):
    """What the accelerometer reads in the screen's axes, in m/s^2."""
    return tuple(axis * STANDARD_GRAVITY for axis in pose.held_up_by)


class MotionCase(unittest.TestCase):
    """A tablet is plugged in for all tests of a class, which find no reader. The daemon runs from the first connection on."""

    @classmethod
    def plug_in(cls, sensor, *iio_names):
        cls.service = SystemdService("orientationd")
        cls.service.stop()
        cls.service.forget_failures()
        forget_state()
        cls.addClassCleanup(forget_state)
        sensor.plug()
        cls.addClassCleanup(sensor.unplug)
        # The daemon has to be gone before the sensor is: cleanups run last to first.
        cls.addClassCleanup(cls.service.stop)
        return [iio_device.wait_for(name) for name in iio_names]

    def connect(self):
        return self.enterContext(MotionClient())

    def program(self, **words):
        return self.enterContext(MotionProgram(**words))

    def kill_daemon(self):
        os.kill(self.service.process, signal.SIGKILL)

    def expect_axes(self, samples, sensor, axes):
        """All of them, and there are some."""
        self.assertTrue(samples)
        for sample in samples:
            for measured, expected in zip(sample.axes, axes):
                self.assertAlmostEqual(measured, expected, delta=TOLERANCE[sensor], msg=f"{sample}, expected {axes}")
