# SPDX-License-Identifier: Apache-2.0
"""The results of a soak, on one page."""
import soak_figures
from soak_journal import WORDS


def print_report(soak, growths):
    print(f"\nsoak of {soak.minutes:.1f} min, seed {soak.seed}: {soak.events.total()} events, each checked")
    print_counts(soak.events)
    print(f"announcements checked: {soak.observer.checked}; wrong: {len(soak.violations)}")
    print(f"edges that iio-sensor-proxy told beside it: {soak.neighbour.edges_told}")
    print_lines(soak.samples)
    print(f"the daemon's processor time: {soak.processor_seconds:.1f} s in {soak.minutes:.1f} min "
          f"({soak.processor_seconds / soak.minutes / 60:.2%} of one, emulated)")
    print("journal of the unit, all lines by MESSAGE_ID:")
    print_counts({f"{id or 'none'}  {WORDS.get(id, '')}": count for id, count in soak.journal.counts.items()})
    for growth in growths:
        print(f"GROWS: {growth}")
    for each in soak.violations:
        print(f"WRONG: event {each.number}, {each.event}, {each.minutes:.2f} min after the start ({each.clock}): {each.text}")
    if growths or soak.violations:
        print(f"again: make soak HOURS={soak.minutes / 60 + 0.02:.2f} SEED={soak.seed}")


def print_counts(counts):
    for name, count in sorted(counts.items(), key=lambda entry: -entry[1]):
        print(f"  {count:6}  {name}")


def print_lines(samples):
    print(f"at rest, sensor on, one client ({len(samples)} samples; the first {soak_figures.WARM_UP} of a process do not count):")
    for field, unit in (("anonymous", "kB"), ("resident", "kB"), ("descriptors", "")):
        fitted = soak_figures.line(samples, field)
        values = " ".join(str(getattr(sample, field)) for sample in samples)
        if fitted:
            print(f"  {field + ' ' + unit:<14} {fitted.slope:+.2f} an hour, {fitted.growth:+.2f} in all: {values}")
        else:
            print(f"  {field + ' ' + unit:<14} {values}")
