# SPDX-License-Identifier: Apache-2.0
"""Installs and removes the files that SensorProxy=yes needs, so that orientationd replaces iio-sensor-proxy.

Most tests run the daemon without these files, and iio-sensor-proxy stays installed for comparison. So this module does what the
package does, because installing the package would remove iio-sensor-proxy.
"""
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

from incumbent import sensor_proxy_service
from systemd_service import SystemdService, systemctl

TREE = Path("/opt/vm-tests/sensor-proxy")
# While ours is in place, its policy has to do alone: for iio-sensor-proxy too, whose own keeps the compass for geoclue.
# In Debian 13 that is in /usr, where ours has the same name.
OTHERS_POLICY = Path("/etc/dbus-1/system.d/net.hadess.SensorProxy.conf")

_set_aside = []
_new_folders = []


@contextmanager
def in_place():
    put_in_place()
    try:
        yield
    finally:
        take_away()


def put_in_place():
    """Neither daemon runs afterwards; the first call on the bus starts ours."""
    _stop_both()
    for path in OTHERS_POLICY, *_targets():
        if path.exists():
            path.rename(_aside(path))
            _set_aside.append(path)
    for file, target in zip(_files(), _targets()):
        _new_folders.extend(folder for folder in target.parents if not folder.exists())
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    _have_it_read()


def take_away():
    _stop_both()
    for target in _targets():
        target.unlink()
    for folder in sorted(_new_folders, reverse=True):
        folder.rmdir()
    _new_folders.clear()
    for path in _set_aside:
        _aside(path).rename(path)
    _set_aside.clear()
    _have_it_read()


def _files():
    return sorted(file for file in TREE.rglob("*") if file.is_file())


def _targets():
    return [Path("/", file.relative_to(TREE)) for file in _files()]


def _aside(path):
    return path.with_name(f"{path.name}.set-aside")


def _stop_both():
    for service in sensor_proxy_service(), SystemdService("orientationd"):
        service.stop()
        service.forget_failures()


def _have_it_read():
    systemctl("reload", "dbus.service")
    subprocess.run(["udevadm", "control", "--reload"], check=True)
