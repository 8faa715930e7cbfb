# SPDX-License-Identifier: Apache-2.0
"""The program in C that the guest measures the daemon's start-up beside."""
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "readiness.c"


def compile_readiness(directory):
    """The path of the program: it runs in the guest, which is of the host's own Debian release."""
    program = directory / SOURCE.stem
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsystemd"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-o", program, SOURCE, *flags], check=True)
    return program
