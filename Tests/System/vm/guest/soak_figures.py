# SPDX-License-Identifier: Apache-2.0
"""Checks whether the daemon's resources grow: samples in equal states, and the straight line through them."""
from dataclasses import dataclass

import process_figures
from orientationd_case import boot_time

# A process touches some code, and some of its heap, for the first time minutes after its start: no sample of a process counts
# before so many.
WARM_UP = 3
# The heap counts in pages of 4 kB, and a rare event may touch a page or two for the first time late: that is no leak. What is
# is, at a thousand events an hour, 16 bytes each.
MOST_GROWTH = 16                    # kB along the line, from the first sample to the last
# The heap goes up and down by some pages, and a line through few samples of that can rise. A process that was, in the last third of its
# samples, at what it had in the first third has not leaked. So many samples are the least for a third. A process that did not live as
# long as such a one cannot show a leak either: it rises in its first ten minutes, while what is rare happens for the first time.
THIRD = 3
# Descriptors are whole: a line through samples that are alike is level, and one more from some moment on rises by more than this.
MOST_MORE_DESCRIPTORS = 0.5


@dataclass(frozen=True)
class Sample:
    process: int
    hours: float                    # since the boot
    resident: int                   # kB
    anonymous: int                  # kB
    descriptors: int


def sample(process):
    memory = process_figures.memory(process)
    return Sample(process, boot_time() / 3600, memory.resident, memory.anonymous,
                  len(process_figures.open_files(process)))


@dataclass(frozen=True)
class Line:
    """The least squares' line through the samples of each process; all have the same slope."""
    slope: float                    # an hour
    growth: float                   # over the time of the samples
    first: int
    last: int
    samples: int


def line(samples, field):
    """None where there is no process with two samples after its warm-up."""
    covariance = variance = hours = count = 0
    values = []
    for process in dict.fromkeys(sample.process for sample in samples):
        points = [(sample.hours, getattr(sample, field)) for sample in samples if sample.process == process][WARM_UP:]
        if len(points) < 2:
            continue
        mean_x, mean_y = (sum(part) / len(points) for part in zip(*points))
        covariance += sum((x - mean_x) * (y - mean_y) for x, y in points)
        variance += sum((x - mean_x) ** 2 for x, _ in points)
        hours += points[-1][0] - points[0][0]
        count += len(points)
        values += [y for _, y in points]
    if not count:
        return None
    slope = covariance / variance
    return Line(slope, slope * hours, values[0], values[-1], count)


def comes_back(values):
    third = len(values) // 3
    return third >= THIRD and min(values[-third:]) <= max(values[:third])


def suspects(samples):
    """The samples of the processes whose heap may have grown."""
    heaps = {process: [sample.anonymous for sample in samples if sample.process == process][WARM_UP:]
             for process in {sample.process for sample in samples}}
    innocent = max((len(heap) for heap in heaps.values() if comes_back(heap)), default=0)
    return [sample for sample in samples
            if len(heaps[sample.process]) >= innocent and not comes_back(heaps[sample.process])]


def growths(samples):
    """What grows by more than it may, in words."""
    found = []
    for field, most, unit in (("anonymous", MOST_GROWTH, " kB"), ("descriptors", MOST_MORE_DESCRIPTORS, "")):
        fitted = line(samples, field)
        if fitted is None:
            found.append(f"{field}: too few samples to tell whether it grows; soak for longer")
            continue
        if field == "anonymous":
            fitted = line(suspects(samples), field)
        if fitted and fitted.growth > most:
            found.append(f"{field} grew by {fitted.growth:.1f}{unit} in {fitted.samples} samples, more than {most}{unit}: "
                         f"{[getattr(each, field) for each in samples]}")
    return found
