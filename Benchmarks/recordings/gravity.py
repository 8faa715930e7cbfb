# SPDX-License-Identifier: Apache-2.0
"""The direction of gravity from accelerometer and gyroscope, by what was measured before and after each instant."""

import numpy as np

GRAVITY = 9.80665
# Seconds without samples, after which nobody knows how the device has turned.
HOLE = 0.25


def converted(acceleration, rates):
    """Seconds, readings and reference at the times for which both sensors have samples; without a reference, NaN.

    There is none for less than two seconds between holes, nor where shorter and longer means disagree, as when somebody runs."""
    acceleration, rates = [table[np.diff(np.maximum.accumulate(table[:, 0]), prepend=-np.inf) > 0] for table in (acceleration, rates)]
    times = acceleration[:, 0]
    kept = acceleration[(times >= rates[0, 0]) & (times <= rates[-1, 0])]
    times, force = kept[:, 0], kept[:, 1:]
    turning = np.column_stack([np.interp(times, rates[:, 0], axis) for axis in rates[:, 1:].T])
    gravity = np.full(force.shape, np.nan)
    missing = np.diff(rates[:, 0])[np.clip(np.searchsorted(rates[:, 0], times) - 1, 0, len(rates) - 2)] > HOLE
    begins = [0, *(np.flatnonzero((np.diff(times) > HOLE) | missing[1:] | missing[:-1]) + 1), len(times)]
    for first, end in zip(begins, begins[1:]):
        part = slice(first, end)
        if end - first < 10 or times[end - 1] - times[first] < 2:
            continue
        short, middle, long = [reference(times[part], force[part], turning[part], half) for half in (1, 2, 3)]
        middle[np.sum(short * long, axis=1) < GRAVITY**2 * np.cos(np.radians(8))] = np.nan
        gravity[part] = middle
    return times - times[:1], force, gravity


def reference(seconds, acceleration, rates, half):
    """Gravity, as a sensor without any other force would read it.

    The gyroscope says how the device turns. In axes that do not turn with it, gravity is what stays, so it is the mean force of some
    seconds before and after; the slow drift of the gyroscope is the same on both sides, and leaves the mean as it is."""
    steps = np.diff(seconds, prepend=seconds[0])[:, np.newaxis] * (rates + np.roll(rates, 1, axis=0)) / 2
    angles = np.linalg.norm(steps, axis=1, keepdims=True)
    turns = np.column_stack([np.cos(angles / 2), steps / 2 * np.sinc(angles / 2 / np.pi)])
    # All products from the first turn on: each round doubles how many turns are in a product.
    reach = 1
    while reach < len(turns):
        turns[reach:] = product(turns[:-reach], turns[reach:])
        reach *= 2
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    back = turns * [1, -1, -1, -1]
    force = rotated(turns, acceleration)
    for _ in range(2):
        force = moving_mean(seconds, force, half)
    up = rotated(back, force)
    return GRAVITY * up / np.linalg.norm(up, axis=1, keepdims=True)


def product(first, second):
    """Of quaternions: the real parts are in the first column."""
    real = first[:, :1] * second[:, :1] - np.sum(first[:, 1:] * second[:, 1:], axis=1, keepdims=True)
    rest = first[:, :1] * second[:, 1:] + second[:, :1] * first[:, 1:] + np.cross(first[:, 1:], second[:, 1:])
    return np.column_stack([real, rest])


def rotated(turns, vectors):
    """From the axes of the device to those at the start."""
    twice = 2 * np.cross(turns[:, 1:], vectors)
    return vectors + turns[:, :1] * twice + np.cross(turns[:, 1:], twice)


def moving_mean(seconds, values, half):
    """The means over the times from `half` seconds before each sample until as long after it, as far as there are samples."""
    area = np.cumsum(np.diff(seconds, prepend=seconds[0])[:, np.newaxis] * (values + np.roll(values, 1, axis=0)) / 2, axis=0)
    begin, end = np.maximum(seconds - half, seconds[0]), np.minimum(seconds + half, seconds[-1])
    sums = [np.interp(end, seconds, axis) - np.interp(begin, seconds, axis) for axis in area.T]
    return np.column_stack(sums) / (end - begin)[:, np.newaxis]
