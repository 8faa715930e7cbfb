# SPDX-License-Identifier: Apache-2.0
"""The administrator's changes in a soak: a separate file in the daemon's configuration."""
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = Path("/run/orientationd.conf.d/soak.conf")
UPSIDE_DOWN = "-1,0,0; 0,-1,0; 0,0,1"
# The daemon must name them, and make nothing of them.
WRONG_LINES = ("SampleRate=999", "MountMatrix=1,2", "SampleRat=50", "[Rotation]\nAlwaysOn=yes", "no key at all")


@dataclass(frozen=True)
class Configuration:
    sensor_proxy: bool = False
    sample_rate: int = 25
    is_upside_down: bool = False    # by the mount matrix

    def write(self, *more):
        lines = ["[Orientation]", f"SensorProxy={'yes' if self.sensor_proxy else 'no'}", f"SampleRate={self.sample_rate}"]
        if self.is_upside_down:
            lines.append(f"MountMatrix={UPSIDE_DOWN}")
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text("\n".join([*lines, *more]) + "\n")

    def differs_for_the_running(self, other):
        """In what a reload takes into use."""
        return asdict(self) | {"sensor_proxy": None} != asdict(other) | {"sensor_proxy": None}


def forget():
    FILE.unlink(missing_ok=True)
