# SPDX-License-Identifier: Apache-2.0
"""Tables with a line for each group of recordings."""

TITLE_WIDTH = 44


class Counts:
    """What was counted, over one recording or several: numbers and lists."""

    def add(self, other):
        """Counts another one's counts as well."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def percent(part, whole):
    """The share of a part; a dash if there is nothing that it could be a part of."""
    return f"{100 * part / whole:.2f}" if whole else "-"


def rate(count, time, places):
    """How often something happens; a dash if there is no time in which it could have happened."""
    return f"{count / time:.{places}f}" if time else "-"


def print_table(kind, rows, each):
    """Prints the counts of each group and of all together; with `each`, of each recording as well.

    `kind` is the class of the counts, and a row is a recording's name, its group and its counts."""
    print(f"{'':{TITLE_WIDTH}} {kind.HEADER}")

    def line(title, counts):
        print(f"{title[:TITLE_WIDTH]:{TITLE_WIDTH}} {counts.row()}")

    groups, everything = {}, kind()
    for name, group, counts in rows:
        if each:
            line(name, counts)
        groups.setdefault(group, kind()).add(counts)
        everything.add(counts)
    for group in sorted(groups):
        line(group, groups[group])
    line("all", everything)
