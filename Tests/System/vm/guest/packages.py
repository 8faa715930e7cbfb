# SPDX-License-Identifier: Apache-2.0
"""The Debian packages from the host, dpkg, and the files that they leave on the disk."""
import hashlib
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

_HANDED_OVER = sorted(Path(__file__).parents[1].glob("packages/*.deb"))
# What takes the place of iio-sensor-proxy, which others measure and ask: only its own tests install it.
SENSOR_PROXY = next((file for file in _HANDED_OVER if file.name.startswith("orientationd-sensor-proxy_")), None)
# It depends on libraries of desktops, and others remove what it depends on: its tests unpack its program.
FOLLOWER = next((file for file in _HANDED_OVER if file.name.startswith("orientationctl-follow_")), None)
FILES = [file for file in _HANDED_OVER if file not in (SENSOR_PROXY, FOLLOWER)]
NAMES = ("orientationd", "orientationctl")
# The unpacked binary tarball of a release, if the host has handed over one.
TARBALL = next(iter(Path(__file__).parents[1].glob("tarball/orientationd-*")), None)
TIMEOUT = 300                       # seconds; alone, a guest needs 25

ROOTS = ("/etc", "/opt", "/usr", "/var")
# What dpkg keeps of each package that there ever was, and what every program writes to.
PASSING = ("/usr/lib/modules", "/var/cache", "/var/lib/dpkg", "/var/log", "/var/tmp")
BEFORE = Path("/run/files-before-packages")


def dpkg(*arguments):
    done = subprocess.run(["dpkg", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=TIMEOUT, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    if done.returncode:
        raise RuntimeError(f"dpkg {' '.join(map(str, arguments))}: {done.stdout}")
    return done.stdout


def installed_version(name):
    """None where the package is not there; removed ones of which something is kept are not."""
    answer = subprocess.run(["dpkg-query", "--show", "--showformat=${db:Status-Status} ${Version}", name],
                            capture_output=True, text=True, timeout=TIMEOUT).stdout
    status, _, version = answer.partition(" ")
    return version if status == "installed" else None


def problems(*names):
    """What dpkg finds missing or altered, but for what the guest's dpkg leaves out."""
    return [line for line in dpkg("--verify", *names).splitlines() if not re.search(" /usr/share/(doc|man)(/|$)", line)]


def next_version(file, folder):
    """The same package with a higher version number, uncompressed."""
    return other_version(file, folder, lambda version: f"{version}.1")


def other_version(file, folder, version, change=lambda tree: None):
    """The same package with another version number, which is made of its own, and other files; uncompressed."""
    tree = Path(tempfile.mkdtemp(dir=folder)) / "tree"
    subprocess.run(["dpkg-deb", "--raw-extract", file, tree], check=True, timeout=TIMEOUT)
    change(tree)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub("^Version: (.*)$", lambda line: f"Version: {version(line[1])}", control.read_text(), flags=re.MULTILINE))
    package = tree.parent / file.name
    subprocess.run(["dpkg-deb", "-Znone", "--build", tree, package], check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT)
    return package


def remember_files():
    """To be called before the packages are installed for the first time."""
    BEFORE.write_text(json.dumps(files()))


def changes_since_before():
    """What is on the disk otherwise than before the packages: {path: "new", "gone" or "changed"}."""
    return changes_since(json.loads(BEFORE.read_text()))


def changes_since(before):
    """The same since `before = files()`."""
    now = files()
    changes = {path: "gone" for path in before.keys() - now.keys()}
    changes |= {path: "new" for path in now.keys() - before.keys()}
    return changes | {path: "changed" for path in before.keys() & now.keys() if before[path] != now[path]}


def files():
    """Every file, folder and link, with what is in it where that is configuration."""
    return {path: _content(path) for root in ROOTS for path in _walk(root)}


def _walk(folder):
    for entry in os.scandir(folder):
        if entry.path in PASSING or entry.name == "__pycache__":
            continue
        yield entry.path
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)


def _content(path):
    if os.path.islink(path):
        return os.readlink(path)
    if path.startswith("/etc/") and os.path.isfile(path):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return ""
