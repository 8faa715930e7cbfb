# SPDX-License-Identifier: Apache-2.0
"""The accelerometer of a cheap tablet at 100 Hz, and the recording that it makes of a motion.

Zero-g offsets of up to 40 mg and noise of 2 to 6 mg are what the data sheets of such chips allow. Like them, it reports the mean of
the time since its last reading.
"""

import numpy as np

from motion import HERTZ, STANDARD_GRAVITY
from recordings import Recording

SENSOR_HERTZ = 100
OFFSET_MILLI_G = 40
NOISE_MILLI_G = (2, 6)
# The reference needs no more, and this saves time.
REFERENCE_STEP = 2


class Simulated(Recording):
    """A recording that no file has."""

    def __init__(self, name, motion, offset):
        self.path = self.name = name
        random, each = motion.random, HERTZ // SENSOR_HERTZ
        count = len(motion.seconds) // each
        means = motion.readings()[: count * each].reshape(count, each, 3).mean(axis=1)
        faults = random.uniform(-offset, offset, 3) + random.uniform(*NOISE_MILLI_G) * random.normal(size=means.shape)
        self.seconds = (np.arange(count) + 1) / SENSOR_HERTZ
        self.acceleration = means + faults / 1000 * STANDARD_GRAVITY
        self.lines = np.arange(count) + 2
        self._up = motion.up()[each - 1 :: each][:count]
        self.reference_seconds = self.seconds[::REFERENCE_STEP]
        self.reference = self._up[::REFERENCE_STEP]

    def write_with_reference(self, path):
        """Writes a file that the programs in `quality` read."""
        columns = [self.seconds, self.acceleration, self._up * STANDARD_GRAVITY]
        np.savetxt(path, np.column_stack(columns), fmt="%.6g", delimiter=",", header="t_s,ax,ay,az,gx,gy,gz", comments="")
