# SPDX-License-Identifier: Apache-2.0
"""Controls whether udev starts the daemon when it finds an accelerometer.

The daemon's own rule does this. Most tests plug in a sensor and start the daemon when they are ready, so a rule
of the guest prevents it, as another rule does for iio-sensor-proxy.
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
