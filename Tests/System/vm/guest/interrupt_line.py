# SPDX-License-Identifier: Apache-2.0
"""The interrupt line of a chip on a simulated I2C bus: our kernel module chip_with_interrupt, which also creates the chip."""
import subprocess
from pathlib import Path

MODULE = "chip_with_interrupt"
PARAMETERS = Path("/sys/module", MODULE, "parameters")


class InterruptLine:
    """There is at most one."""

    def __init__(self, bus_number, model, address):
        subprocess.run(["modprobe", MODULE, f"adapter={bus_number}", f"type={model}", f"address={address:#x}"], check=True)

    def fire(self):
        """One interrupt. Returns when the chip's driver has handled it."""
        (PARAMETERS / "fire").write_text("1")

    def fire_each(self, seconds):
        """Interrupts at this interval from now on; with 0, none."""
        (PARAMETERS / "period_us").write_text(str(round(seconds * 1e6)))

    @staticmethod
    def remove():
        """The chip goes with it."""
        subprocess.run(["modprobe", "--remove", MODULE], check=True)
