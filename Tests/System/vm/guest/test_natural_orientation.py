# SPDX-License-Identifier: Apache-2.0
"""The natural orientation of a tablet is that of its built-in panel, which the confined daemon reads from sysfs. QEMU's graphics card
has no such panel, so a folder with the files of one is mounted over the kernel's."""
import subprocess
import tempfile
from pathlib import Path

from i2c_chip import I2CChip
from orientationd_case import BEGIN, OrientationdCase
from poses import LANDSCAPE_LEFT, PORTRAIT

CONNECTORS = "/sys/class/drm"


class TabletWithADsiPanel(OrientationdCase):
    def check_turns(self, mode, names):
        """`names`: of what a tablet with this panel is held as that would be upright, and then on its left, with a portrait panel."""
        self.build_in_panel(mode)
        chip = I2CChip()
        self.plug_in(chip)
        self.client.call(BEGIN)
        for pose, name in zip((PORTRAIT, LANDSCAPE_LEFT), names):
            chip.hold(pose)
            self.wait_for_orientation(name)

    def build_in_panel(self, mode):
        subprocess.run(["modprobe", "drm"], check=True)
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        connector = folder / "card1-DSI-1"
        connector.mkdir()
        (connector / "status").write_text("connected\n")
        (connector / "modes").write_text(f"{mode}\n")
        subprocess.run(["mount", "--bind", folder, CONNECTORS], check=True)
        self.addCleanup(subprocess.run, ["umount", CONNECTORS], check=True)

    def test_whose_mode_is_landscape_is_turned(self):
        self.check_turns("1280x800", ["landscapeLeft", "portraitUpsideDown"])

    def test_whose_mode_is_portrait_is_not_turned(self):
        self.check_turns("800x1280", ["portrait", "landscapeLeft"])
