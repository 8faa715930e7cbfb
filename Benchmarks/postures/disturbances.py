# SPDX-License-Identifier: Apache-2.0
"""What else moves a tablet: hands, steps, vehicles, fingers and doors. Each function adds one disturbance to a motion."""

import numpy as np

from motion import HERTZ, STANDARD_GRAVITY
from path import minimum_jerk

# In the axes of the room.
SIDEWAYS, FORWARD, UPWARD = range(3)
RISE, ROLL = 1, 2
# A finger touches for a few milliseconds, a thumb for longer; the hand that holds the tablet pushes it back more slowly.
TAP_SECONDS = (0.004, 0.02)
REBOUND_LENGTH = 2.0


def band(motion, low, high):
    """Noise between two frequencies, with a root mean square of 1."""
    count = len(motion.seconds)
    spectrum = np.fft.rfft(motion.random.normal(size=count))
    hertz = np.fft.rfftfreq(count, 1 / HERTZ)
    noise = np.fft.irfft(np.where((hertz >= low) & (hertz <= high), spectrum, 0), count)
    return noise / max(noise.std(), 1e-9)


def tremor(motion, milli_g=(5, 30)):
    """Physiological tremor of the hands: 4 to 12 Hz, 5 to 30 mg (Elble and Koller 1990)."""
    size = motion.random.uniform(*milli_g) / 1000 * STANDARD_GRAVITY
    for axis in range(3):
        motion.knocks[:, axis] += size * band(motion, 4, 12)


def sway(motion, degrees=(1, 4)):
    """Arms that tire and bodies that breathe: 0.1 to 1 Hz, 1 to 4 degrees (twice the root mean square)."""
    size = motion.random.uniform(*degrees) / 2
    for angle in (RISE, ROLL):
        motion.angles[:, angle] += size * band(motion, 0.1, 1)


def held(motion):
    """A hand that does nothing but hold the tablet."""
    tremor(motion)
    sway(motion)


def steps(motion):
    """Walking: the trunk goes up and down by 0.2 to 0.35 g at 1.6 to 2.1 steps a second, with harmonics; fore and aft by up to a
    third of this, and to the sides at half the frequency, once for each pair of steps. No two steps are equal. The arms do not
    quite keep the tablet's attitude: 1 to 3 degrees."""
    random = motion.random
    hertz = random.uniform(1.6, 2.1) * (1 + 0.03 * band(motion, 0.1, 1))
    phase = random.uniform(0, 2 * np.pi) + 2 * np.pi * np.cumsum(hertz) / HERTZ
    size = random.uniform(0.2, 0.35) * STANDARD_GRAVITY * (1 + 0.1 * band(motion, 0.1, 1))
    lag = random.uniform(0, 2 * np.pi, 6)
    motion.pushes[:, UPWARD] += size * (np.sin(phase) + 0.3 * np.sin(2 * phase + lag[0]) + 0.15 * np.sin(3 * phase + lag[1]))
    motion.pushes[:, FORWARD] += size * random.uniform(0.1, 0.33) * np.sin(phase + lag[2])
    motion.pushes[:, SIDEWAYS] += size * random.uniform(0.1, 0.33) * np.sin(phase / 2 + lag[3])
    motion.angles[:, RISE] += random.uniform(1, 3) * np.sin(phase + lag[4])
    motion.angles[:, ROLL] += random.uniform(1, 3) * np.sin(phase / 2 + lag[5])


def rocking(motion):
    """A rocking chair, or a child that is rocked: 10 degrees to either side at 0.5 to 1 Hz."""
    hertz = motion.random.uniform(0.5, 1)
    motion.angles[:, RISE] += motion.random.uniform(5, 10) * np.sin(2 * np.pi * hertz * motion.seconds)


def vibration(motion, g, low=1, high=30):
    """The floor of a vehicle, mostly up and down; `g` is the range of the root mean square."""
    size = motion.random.uniform(*g) * STANDARD_GRAVITY
    for axis, share in ((SIDEWAYS, 0.5), (FORWARD, 0.5), (UPWARD, 1)):
        motion.pushes[:, axis] += size * share * band(motion, low, high)


def thrusts(motion, axis, g, seconds, pause):
    """Braking, accelerating or a bend: a constant push of so many g in either direction for some seconds, from time to time."""
    random, begin = motion.random, motion.random.uniform(2, pause)
    while begin < motion.seconds[-1]:
        length, size = random.uniform(*seconds), random.choice([-1, 1]) * random.uniform(*g) * STANDARD_GRAVITY
        # A driver takes about half a second to press the pedal.
        onset, end = (minimum_jerk((motion.seconds - begin - at) / 0.5) for at in (0, length))
        motion.pushes[:, axis] += size * (onset - end)
        begin += length + random.uniform(0.5, 1.5) * pause


def taps(motion, g, pause):
    """Fingers or a pen on the screen: each pushes it away, by a half sine of up to so many g, and the hand pushes it back."""
    random, begin = motion.random, motion.random.exponential(pause)
    while begin < motion.seconds[-1] - 1:
        size, length = random.uniform(0.3, 1) * g * STANDARD_GRAVITY, random.uniform(*TAP_SECONDS)
        direction = np.array([random.normal(0, 0.2), random.normal(0, 0.2), -1])
        push = _half_sine(motion, begin, length) - _half_sine(motion, begin + length, REBOUND_LENGTH * length) / REBOUND_LENGTH
        motion.knocks += size * push[:, None] * direction
        begin += 0.08 + random.exponential(pause)


def typing(motion):
    """Bursts of taps: three to six words, then a look at what was written."""
    taps(motion, 0.8, motion.random.uniform(0.15, 0.6))


def pressure(motion):
    """A pen, or the hand that rests on the screen, presses one side down by half a degree to a degree and a half."""
    for angle in (RISE, ROLL):
        motion.angles[:, angle] += motion.random.uniform(0.5, 1.5) / 2 * band(motion, 0.2, 2)


def slams(motion, pause):
    """Doors: the wall swings at its natural frequency, 12 to 30 Hz, for a tenth of a second or two."""
    random, begin = motion.random, motion.random.exponential(pause)
    while begin < motion.seconds[-1]:
        after = np.maximum(motion.seconds - begin, 0)
        swing = np.sin(2 * np.pi * random.uniform(12, 30) * after) * np.exp(-after / random.uniform(0.05, 0.15))
        motion.pushes += (random.uniform(0.1, 0.6) * STANDARD_GRAVITY * swing)[:, None] * random.normal(0, [0.3, 1, 0.3])
        begin += 0.5 + random.exponential(pause)


def _half_sine(motion, begin, length):
    return np.sin(np.pi * np.clip((motion.seconds - begin) / length, 0, 1))
