# SPDX-License-Identifier: Apache-2.0
"""Whether udev starts the daemon where it sees an accelerometer.

The daemon's own rule says so. Most tests want to plug in a sensor and start the daemon when they are ready: a rule
of the guest's keeps it down, as one does with iio-sensor-proxy.
"""
import subprocess
from contextlib import contextmanager
from pathlib import Path

RULE = Path("/run/udev/rules.d/61-not-started-by-udev.rules")


def prevent():
    RULE.parent.mkdir(parents=True, exist_ok=True)
    RULE.write_text('SUBSYSTEM=="iio", ENV{SYSTEMD_WANTS}=""\n')


@contextmanager
def allowed():
    RULE.unlink()
    _reload_rules()
    try:
        yield
    finally:
        prevent()
        _reload_rules()


def _reload_rules():
    subprocess.run(["udevadm", "control", "--reload"], check=True)
