# SPDX-License-Identifier: Apache-2.0
"""What a worse sensor would have read of the same movements.

  --hertz R         the first reading at or after each tick of R hertz
  --noise MG        white Gaussian noise of so many milli-g on each axis
  --range G         readings saturate at so many g
  --bits N          readings are rounded to so many bits, as the range allows; needs --range
  --lost PERCENT    so many of the readings never arrive

All this happens to the readings at the sensor's rate: without --hertz, those that the daemon takes by default. More than these
would average the noise away, and fill the gaps. What is random has the recording's name as its seed, so that runs are equal. The
reference stays as it is.
"""

import zlib

import numpy as np

from options import number
from unusable import BadOption

STANDARD_GRAVITY = 9.80665
DEFAULT_HERTZ = 25.0
# Recorded times are rounded, and a microsecond makes no difference.
ROUNDING = 1e-6


def add_options(parser):
    """Declares the options."""
    options = parser.add_argument_group("a worse sensor (worse.py)")
    options.add_argument("--hertz", type=number(0.1, 1000), metavar="R", help="the rate of the sensor")
    options.add_argument("--noise", type=number(0, 2000), metavar="MG", help="additional noise on each axis, in milli-g")
    options.add_argument("--range", type=number(0.1, 1000), metavar="G", help="the readings saturate there, in g")
    options.add_argument("--bits", type=number(1, 32, int), metavar="N", help="the resolution of --range, which it needs")
    options.add_argument("--lost", type=number(0, 100, below=True), metavar="PERCENT", help="the share of the readings that never arrive")


class WorseSensor:
    """A sensor with the faults that the options describe."""

    def __init__(self, arguments):
        self._hertz, self._noise, self._lost = arguments.hertz, arguments.noise, arguments.lost
        self._range, self._bits = arguments.range, arguments.bits
        self._is_worse = any(value is not None for value in (self._hertz, self._noise, self._lost, self._range, self._bits))
        if self._bits is not None and self._range is None:
            raise BadOption("--bits needs --range; a resolution is that of a range")

    def recorded(self, recording):
        """The recording as this sensor would have made it."""
        if not self._is_worse:
            return recording
        kept = at_rate(recording.seconds, self._hertz or DEFAULT_HERTZ)
        acceleration = recording.acceleration[kept]
        random = np.random.default_rng(seed_of(recording.name))
        if self._noise:
            acceleration = acceleration + random.normal(0, self._noise / 1000 * STANDARD_GRAVITY, acceleration.shape)
        acceleration = self._digitized(acceleration)
        arrived = self._arrived(len(kept), random)
        return recording.with_samples(kept[arrived], acceleration[arrived])

    def _digitized(self, acceleration):
        if self._range is None:
            return acceleration
        most = self._range * STANDARD_GRAVITY
        if self._bits is None:
            return np.clip(acceleration, -most, most)
        levels = 2 ** (self._bits - 1)
        step = most / levels
        return np.clip(np.round(acceleration / step), -levels, levels - 1) * step

    def _arrived(self, count, random):
        arrived = random.random(count) >= (self._lost or 0) / 100
        # The daemon's ticks begin with the first reading. If that were lost, others would fall between two ticks.
        arrived[0] = True
        return arrived


def at_rate(seconds, hertz):
    """The samples that the daemon would take at a rate, by their numbers: as `Recording.entries(atRate:)` in Swift chooses."""
    kept, start, tick, last = [], seconds[0], 0.0, seconds[0]
    for sample, time in enumerate(seconds):
        if time < last:
            start, tick = time, 0.0
        last = time
        passed = (time - start + ROUNDING) * hertz
        if passed >= tick:
            kept.append(sample)
            tick = np.floor(passed) + 1
    return np.array(kept)


def seed_of(name):
    """A number for a recording's name, always the same."""
    return zlib.crc32(name.encode())
