# SPDX-License-Identifier: Apache-2.0
"""The files that root has orientationctl write are those that root has named, in folders of other users too."""

import os
import subprocess
import tempfile
from pathlib import Path

import users
from case import HostileCase, World

RECORDING = "t_s,ax,ay,az\n" + "".join(f"{number / 25},0,9.8,0\n" for number in range(50))


class Files(HostileCase):
    # The bus has no part in it.
    buses = ("dbus-daemon",)

    def test_a_link_of_somebody_else_where_everybody_may_write_is_followed_only_if_the_kernel_follows_it(self):
        with tempfile.TemporaryDirectory(prefix="orientationd-files-") as name:
            folder = Path(name)
            recording, precious, link = folder / "recording.csv", folder / "precious", folder / "public" / "plot.svg"
            recording.write_text(RECORDING)
            precious.write_text("precious")
            link.parent.mkdir()
            link.parent.chmod(0o1777)
            link.symlink_to(precious)
            os.chown(link, users.NOBODY, users.NOBODY, follow_symlinks=False)
            try:
                with open(link, "a"):
                    follows = True
            except PermissionError:     # fs.protected_symlinks, which Debian sets
                follows = False
            result = subprocess.run([World.tool, "classify", recording, "--plot", link], capture_output=True, text=True, check=False)
            self.assertEqual(precious.read_text() != "precious", follows, result)
            self.assertEqual(result.returncode == 0, follows, result)
