# SPDX-License-Identifier: Apache-2.0
"""Postures in which the tablet keeps its orientation, and the screen must keep it, too.

Each function makes a motion from random numbers."""

import disturbances as add
from motion import Motion
from path import Path

SECONDS = 40


def still(random, rise, roll=0.0):
    """A path without a turn."""
    path = Path(rise, roll)
    path.rest(SECONDS)
    return Motion(path, random)


def lap_start(random):
    """On the lap with typing: the recording begins there, in landscape, as after a wake-up."""
    motion = still(random, random.uniform(28, 45), random.choice([90.0, -90.0]))
    motion.first_counts = True
    add.tremor(motion, (3, 10))
    add.sway(motion, (0.5, 2))
    add.typing(motion)
    return motion


def bed_side(random):
    """On the side in bed: the tablet leans against something, rolled nearly to the border at 45 degrees."""
    motion = still(random, random.uniform(50, 85), random.choice([-1, 1]) * random.uniform(30, 42))
    add.held(motion)
    return motion


def slow_tilts(random):
    """From portrait down until it lies flat, and back, by 5 to 20 degrees a second."""
    path = Path(random.uniform(60, 80))
    for _ in range(3):
        path.rest(random.uniform(2, 4))
        high, low = random.uniform(55, 80), random.uniform(0, 8)
        path.turn_to((path.rise - low) / random.uniform(5, 20), low)
        path.rest(random.uniform(1, 4))
        path.turn_to((high - low) / random.uniform(5, 20), high)
    path.rest(3)
    motion = Motion(path, random)
    add.tremor(motion)
    add.sway(motion, (0.5, 2))
    return motion


def spinning(random):
    """Flat on a table, or on a bump of it, turned about the vertical so that somebody else can read it."""
    path = Path(random.uniform(0, 3), random.uniform(-180, 180))
    while path.seconds < SECONDS:
        path.rest(random.uniform(1, 5))
        degrees = random.uniform(60, 270)
        path.turn(degrees / random.uniform(90, 200), heading=random.choice([-1, 1]) * degrees)
    path.rest(2)
    motion = Motion(path, random, lever=(0.02, 0.12))
    add.taps(motion, 0.3, 2)
    return motion


def stand(random):
    """Like a tent, top down, or on a stand; somebody touches the screen."""
    rise, roll = random.uniform(60, 70), random.choice([180.0, 180.0, 90.0, 0.0])
    motion = still(random, rise, roll)
    add.taps(motion, 0.8, 1)
    return motion


def rocking(random):
    """In a rocking chair: its rockers are much longer than an arm."""
    path = Path(random.uniform(45, 65), random.choice([0.0, 90.0]))
    path.rest(SECONDS)
    motion = Motion(path, random, lever=(0.4, 0.8))
    add.held(motion)
    add.rocking(motion)
    return motion


def wall(random):
    """Screwed to a wall beside a door."""
    motion = still(random, random.uniform(85, 92), random.choice([0.0, 90.0]))
    add.slams(motion, 5)
    add.taps(motion, 0.5, 6)
    return motion


def reading_walking(random):
    """Read while walking."""
    motion = still(random, random.uniform(40, 75), random.choice([0.0, 90.0, -90.0]))
    add.held(motion)
    add.steps(motion)
    return motion


def showing(random):
    """Shown to a neighbour: turned about the vertical and rolled a little, and back after some seconds."""
    path = Path(random.uniform(40, 75), random.choice([0.0, 90.0]))
    for _ in range(4):
        path.rest(random.uniform(3, 6))
        aside = {"heading": random.uniform(40, 90), "rise": random.uniform(-5, 15), "roll": random.uniform(10, 35)}
        seconds, side = random.uniform(0.5, 1), random.choice([-1, 1])
        path.turn(seconds, side * aside["heading"], aside["rise"], side * aside["roll"])
        path.rest(random.uniform(2, 5))
        path.turn(seconds, -side * aside["heading"], -aside["rise"], -side * aside["roll"])
    path.rest(3)
    motion = Motion(path, random)
    add.held(motion)
    return motion


POSTURES = {
    "lap-start": lap_start,
    "bed-side": bed_side,
    "slow-tilts": slow_tilts,
    "spinning": spinning,
    "stand": stand,
    "rocking": rocking,
    "wall": wall,
    "reading-walking": reading_walking,
    "showing": showing,
}
