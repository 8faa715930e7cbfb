# SPDX-License-Identifier: Apache-2.0
"""The binary tarball of a release, installed by its own script in place of the packages, and removed again."""
import subprocess

import packages
from bus import CallFailed
from orientationd_case import BEGIN
from poses import LANDSCAPE_LEFT, PORTRAIT
from test_package import ACCOUNTS, PackageCase
from waiting import wait_until

INSTALLED_SCRIPT = "/usr/local/share/orientationd/install"
TIMEOUT = 400                       # seconds; an installation took more than 100 in an emulated machine beside others


def script(*words):
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
    return done.returncode, done.stdout


class InstalledTarball(PackageCase):
    def test_refuses_to_replace_the_packages(self):
        code, said = script(packages.TARBALL / "install")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"already installed: .*orientationd\.service \(from the package orientationd\)")
        self.assertEqual(packages.problems(*packages.NAMES), [])

    def test_serves_a_tablet_and_leaves_nothing_behind(self):
        packages.dpkg("--purge", *packages.NAMES)
        # As on a machine that never had it.
        subprocess.run(["userdel", "orientationd"], check=True, timeout=TIMEOUT)
        before = packages.files()
        chip, _ = self.plug_chip()
        chip.hold(PORTRAIT)
        # The chip is unplugged while the packages are there again, as the other tests do it.
        self.addCleanup(self.install)
        self.addCleanup(script, "sh", INSTALLED_SCRIPT, "--uninstall", "--purge")
        code, said = script(packages.TARBALL / "install")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.service.show("UnitFileState"), "enabled")
        self.assertEqual(self.service.show("FragmentPath"), "/usr/local/lib/systemd/system/orientationd.service")
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)
        chip.hold(LANDSCAPE_LEFT)
        self.wait_for_orientation(LANDSCAPE_LEFT.name)
        # The bus, too, knows the service below /usr/local.
        self.service.stop()
        self.assertFalse(self.screen().property("RotationLocked"))
        self.screen().call("SetRotationLock", "b", True)
        # Again, as with a newer tarball: the lock stays.
        process = self.service.process
        code, said = script(packages.TARBALL / "install")
        self.assertEqual(code, 0, said)
        self.assertNotIn(self.service.process, (0, process))
        self.assertTrue(self.screen().property("RotationLocked"))

        code, said = script("sh", INSTALLED_SCRIPT, "--uninstall", "--purge")
        self.assertEqual(code, 0, said)
        changes = packages.changes_since(before)
        self.assertEqual({path: change for path, change in changes.items() if path not in ACCOUNTS}, {})
        self.assertEqual(self.service.show("LoadState"), "not-found")
        wait_until(lambda: not subprocess.run(["pgrep", "-u", "orientationd"], stdout=subprocess.PIPE).stdout, what="no process")
        with self.assertRaises(CallFailed):
            self.device.property("Orientation")
