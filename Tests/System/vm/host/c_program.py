# SPDX-License-Identifier: Apache-2.0
"""The C programs whose start-up the guest compares with the daemon's."""
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "readiness.c"
LIBRARIES_OF_PROGRAM = {"readiness": ["libsystemd"], "readiness-libiio": ["libsystemd", "libiio", "inih"]}


def compile_readiness(directory):
    """The paths of the programs: they run in the guest, which is of the host's own Debian release."""
    return [_compile(directory / name, libraries) for name, libraries in LIBRARIES_OF_PROGRAM.items()]


def _compile(program, libraries):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    # Linked to libraries that it does not call, too: loading them is what the daemon does as well.
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-o", program, SOURCE, "-Wl,--no-as-needed", *flags], check=True)
    return program
