# SPDX-License-Identifier: Apache-2.0
"""The guest's disk, kernel and initramfs: built once for each version of the recipe, then reused."""
import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import time


def release_of_host():
    return platform.freedesktop_os_release()["VERSION_CODENAME"]


class GuestImage:
    def __init__(self, cache, recipe, release, architecture):
        """`release`: Debian's, such as trixie; `architecture`: as Debian names it."""
        self._release = release
        self.architecture = architecture
        self._cache = cache
        self._recipe = recipe
        self.directory = cache / f"image-{release}-{architecture}-{self._key()}"
        self.root = self.directory / "root.img"
        self.kernel = self.directory / "vmlinux"
        self.initramfs = self.directory / "initramfs"

    def build_if_missing(self):
        self._cache.mkdir(parents=True, exist_ok=True)
        with open(self._cache / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)        # two runs at once build one image
            if not self.directory.exists():
                self._build()

    def _key(self):
        """A new recipe needs a new image."""
        digest = hashlib.sha256()
        for file in sorted(self._recipe.iterdir()):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()[:16]

    def _build(self):
        print("building the guest image (about a minute) ...", flush=True)
        began = time.monotonic()
        unfinished = self._cache / "image-unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        for outdated in self._cache.glob(f"image-{self._release}-{self.architecture}-*"):
            shutil.rmtree(outdated)
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*as_root, self._recipe / "build", unfinished, self._release, self.architecture], check=True)
        unfinished.rename(self.directory)
        print(f"built in {time.monotonic() - began:.0f} s", flush=True)
