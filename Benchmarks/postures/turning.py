# SPDX-License-Identifier: Apache-2.0
"""Postures in which the screen is turned from time to time, and must follow.

Each function makes a motion from random numbers."""

import numpy as np

import disturbances as add
from motion import Motion
from path import Path

TURN_SECONDS = (0.4, 0.9)


def some_roll(random):
    """Portrait half of the time, and sometimes upside down: people turn a tablet such that its plug is not in the way."""
    return float(random.choice([0, 0, 0, 90, -90, 180]))


def turns(path, random, count, rests=(2, 6)):
    """Turns by 90 degrees, one in six by 180, with a rest before each and after the last. The rise hardly changes."""
    rise = path.rise
    for _ in range(count):
        path.rest(random.uniform(*rests))
        quarters = random.choice([-2, 2]) if random.random() < 1 / 6 else random.choice([-1, 1])
        # The same force of the hand turns it by twice the angle in 1.4 times the time.
        seconds = random.uniform(*TURN_SECONDS) * np.sqrt(abs(quarters))
        path.turn_to(seconds, rise + random.normal(0, 3), path.roll + 90 * quarters)
    path.rest(random.uniform(*rests))


def clean(random, rise):
    """The turns of the table by the rise: nothing else moves the tablet but the tremor of the hands, between
    which the axis is."""
    path = Path(rise, some_roll(random))
    for _ in range(6):
        path.rest(random.uniform(3.5, 5))
        path.turn(0.6, roll=random.choice([-90, 90]))
    path.rest(4)
    motion = Motion(path, random, lever=(0.03, 0.08))
    add.tremor(motion)
    return motion


def sitting(random):
    """On a chair or a sofa, in both hands."""
    path = Path(random.uniform(30, 80), some_roll(random))
    turns(path, random, 8)
    motion = Motion(path, random)
    add.held(motion)
    return motion


def walking(random):
    """Turned while walking."""
    path = Path(random.uniform(40, 75), some_roll(random))
    turns(path, random, 8)
    motion = Motion(path, random)
    add.held(motion)
    add.steps(motion)
    return motion


def lap(random):
    """On the lap, with typing; it is turned after some sentences."""
    path = Path(random.uniform(25, 45), random.choice([0.0, 90.0, -90.0]))
    turns(path, random, 5, rests=(5, 10))
    motion = Motion(path, random)
    add.tremor(motion, (3, 10))
    add.sway(motion, (0.5, 2))
    add.typing(motion)
    return motion


def drawing(random):
    """In the low position for a pen, on a stand or against the other arm; it is turned as paper is turned."""
    path = Path(random.uniform(20, 30), random.choice([0.0, 90.0, -90.0]))
    turns(path, random, 3, rests=(8, 14))
    motion = Motion(path, random)
    add.tremor(motion, (2, 6))
    add.pressure(motion)
    add.taps(motion, 0.3, motion.random.uniform(0.3, 1))
    return motion


def handing_over(random):
    """Across the table: one person tips it nearly flat and turns it about the vertical, and the other person raises it. Those who
    do not turn it tip it further: the edge that was the lower one is then up."""
    path = Path(random.uniform(40, 70))
    for _ in range(4):
        path.rest(random.uniform(4, 7))
        side = np.sign(path.rise)
        path.turn_to(random.uniform(0.5, 1), side * random.uniform(4, 12), lift=0.1)
        if random.random() < 0.5:
            path.turn(random.uniform(0.6, 1.2), heading=180)
        else:
            path.rest(random.uniform(0.2, 0.6))
            side = -side
        path.turn_to(random.uniform(0.5, 1), side * random.uniform(40, 70), lift=-0.1)
    path.rest(random.uniform(4, 6))
    motion = Motion(path, random)
    add.held(motion)
    return motion


def picking_up(random):
    """From the table: it lies there for some seconds and is raised within half a second to a second, any edge up."""
    path = Path(0)
    for number in range(4):
        if number:
            path.turn_to(random.uniform(0.6, 1.2), 0, lift=-0.25)
            path.rest(random.uniform(1, 4))
        path.face(float(random.choice([0, 90, 180, -90])) + random.normal(0, 5))
        path.rest(random.uniform(1, 2))
        path.turn_to(random.uniform(0.5, 1), random.uniform(30, 70), lift=0.25)
        path.rest(random.uniform(4, 7))
    motion = Motion(path, random)
    add.tremor(motion, (2, 8))
    return motion


def picked_up(random):
    """From a table on which it has lain for a while, and nothing has moved it; raised as in `picking_up`."""
    path, lying = Path(0), []
    for number in range(3):
        if number:
            path.turn_to(random.uniform(0.6, 1.2), 0, lift=-0.25)
        begin = path.seconds
        path.face(float(random.choice([0, 90, 180, -90])) + random.normal(0, 5))
        path.rest(random.uniform(5, 40))
        lying.append((begin, path.seconds))
        path.turn_to(random.uniform(0.5, 1), random.uniform(30, 70), lift=0.25)
        path.rest(random.uniform(4, 5))
    motion = Motion(path, random)
    add.tremor(motion, (2, 8))
    for begin, end in lying:
        motion.knocks[(motion.seconds >= begin) & (motion.seconds < end)] = 0
    return motion


def overhead(random):
    """On the back in bed: the screen faces down, at 20 to 60 degrees from level."""
    path = Path(180 - random.uniform(20, 60), some_roll(random))
    turns(path, random, 6)
    motion = Motion(path, random)
    add.held(motion)
    return motion


def car(random):
    """A passenger; the driver brakes and takes bends."""
    path = Path(random.uniform(35, 70), some_roll(random))
    turns(path, random, 4, rests=(8, 14))
    motion = Motion(path, random)
    add.held(motion)
    add.vibration(motion, (0.02, 0.15))
    add.thrusts(motion, add.FORWARD, (0.15, 0.3), (2, 3), pause=12)
    add.thrusts(motion, add.SIDEWAYS, (0.1, 0.3), (2, 5), pause=15)
    return motion


def train(random):
    """On a seat; the coach sways at 0.5 to 1.5 Hz, and trains brake more gently, for longer."""
    path = Path(random.uniform(35, 70), some_roll(random))
    turns(path, random, 4, rests=(8, 14))
    motion = Motion(path, random)
    add.held(motion)
    add.vibration(motion, (0.02, 0.06))
    add.vibration(motion, (0.02, 0.05), 0.5, 1.5)
    add.thrusts(motion, add.FORWARD, (0.05, 0.12), (8, 15), pause=20)
    return motion


POSTURES = {
    "sitting": sitting,
    "walking": walking,
    "lap": lap,
    "drawing": drawing,
    "handing-over": handing_over,
    "picking-up": picking_up,
    "overhead": overhead,
    "car": car,
    "train": train,
}
