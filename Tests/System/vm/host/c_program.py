# SPDX-License-Identifier: Apache-2.0
"""The C programs whose start-up the guest compares with the daemon's."""
import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parent / "readiness.c"
LIBRARIES_OF_PROGRAM = {"readiness": ["libsystemd"], "readiness-libiio": ["libsystemd", "libiio", "inih"]}


def use_cross_compiler(sysroot):
    """Programs are compiled for arm64 from here on, against the libraries in this folder (scripts/arm64-toolchain)."""
    libraries = sysroot / "usr/lib/aarch64-linux-gnu"
    os.environ |= {"CC": f"aarch64-linux-gnu-gcc --sysroot={sysroot}", "PKG_CONFIG_SYSROOT_DIR": str(sysroot),
                   "PKG_CONFIG_LIBDIR": f"{libraries / 'pkgconfig'}:{sysroot / 'usr/share/pkgconfig'}"}


def compile_readiness(directory):
    """The paths of the programs: they run in the guest, whose Debian release is the host's own or a later one."""
    return [_compile(directory / name, libraries) for name, libraries in LIBRARIES_OF_PROGRAM.items()]


def _compile(program, libraries):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    # Linked to libraries that it does not call, too: loading them is what the daemon does as well.
    subprocess.run([*os.environ.get("CC", "gcc").split(), "-O2", "-Wall", "-Werror", "-o", program, SOURCE, "-Wl,--no-as-needed", *flags], check=True)
    return program
