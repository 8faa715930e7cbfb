# SPDX-License-Identifier: Apache-2.0
"""The command line: a bad option ends the program with one line and the exit status 2."""

import argparse


class Parser(argparse.ArgumentParser):
    """A parser whose help is the text at the top of the program."""

    def __init__(self, description):
        super().__init__(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        """Ends the program, without the usage: that is longer than the message."""
        self.exit(2, f"{self.prog}: {message}; {self.prog} --help explains the options\n")


def number(least, most, kind=float, above=False, below=False):
    """The type of an option: a number from `least` to `most`, or only from above or to below these."""
    numbers = "whole number" if kind is int else "number"
    expected = f"a {numbers} from {'above ' if above else ''}{least:g} to {'below ' if below else ''}{most:g} was expected"

    def parsed(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most or above and value == least or below and value == most:
            raise argparse.ArgumentTypeError(f"{expected}, not '{text}'")
        return value

    return parsed


def settings(path):
    """The type of an option: a file with settings, which the programs read again for each recording."""
    try:
        with open(path, "rb"):
            return path
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path}: {error.strerror}")


def add_common(parser):
    """Declares what all tables take."""
    parser.add_argument("folder")
    parser.add_argument("--each", action="store_true", help="a line for each recording as well")
    parser.add_argument("--groups", metavar="FILE", help="a CSV file `pattern,group`: the groups of files by their names")
    parser.add_argument("--config", metavar="FILE", type=settings, help="settings other than the defaults")
