# SPDX-License-Identifier: Apache-2.0
"""run_tests.py [NAME... | --soak HOURS SEED]: in the guest, run the tests, then the measurements; or a soak instead.

A NAME selects the tests whose full name (module.Class.test) contains it; `measure` the measurements.
One line for each test, as soon as it is over: the host counts these lines.
"""
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from systemd_service import systemctl

HERE = Path(__file__).parent
MEASUREMENTS = "measure"
SOAK = "--soak"


class LiveResult(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.failed = False

    def startTest(self, test):
        super().startTest(test)
        self._began = time.monotonic()
        self._problems = []
        self._skipped = None

    def addFailure(self, test, problem):
        self._problems.append(self._exc_info_to_string(problem, test))

    addError = addFailure

    def addSubTest(self, test, subtest, problem):
        if problem:
            self.addFailure(subtest, problem)
            self._problems[-1] = f"{subtest._subDescription()}\n{self._problems[-1]}"

    def addSkip(self, test, reason):
        self._skipped = reason

    def stopTest(self, test):
        super().stopTest(test)
        verdict = "FAIL" if self._problems else "skip" if self._skipped else "ok"
        self.failed |= verdict == "FAIL"
        print(f"{verdict:<5}{time.monotonic() - self._began:5.1f} s  {sentence(test)}", flush=True)
        for text in self._problems + [self._skipped or ""]:
            print("".join(f"        {line}\n" for line in text.splitlines()), end="", flush=True)


def sentence(test):
    """test_hid_buffered.OrientationOfATablet.test_follows_all_six_poses, for people."""
    module, subject, behaviour = test.id().split(".")
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in subject)
    return f"{module.removeprefix('test_')}:{words}: {behaviour.removeprefix('test_').replace('_', ' ')}"


def daemon_installed():
    return shutil.which("orientationd", path="/usr/libexec") is not None


def prepare_system():
    """What follows the unpacking of files when a package is installed."""
    subprocess.run(["systemd-sysusers"], check=True)
    # Not `udevadm control --reload`: udevd may have read the new rules already, before their group
    # was there, and reads them again only if they changed.
    systemctl("restart", "systemd-udevd.service")
    systemctl("daemon-reload")
    systemctl("reload", "dbus.service")


def all_tests(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from all_tests(entry)
        else:
            yield entry


def selected_tests(names):
    """Without an installed daemon, the rig's own."""
    pattern = "test_*.py" if daemon_installed() else "test_rig*.py"
    found = unittest.defaultTestLoader.discover(str(HERE), pattern)
    return [test for test in all_tests(found) if not names or any(name in test.id() for name in names)]


def main(names):
    if daemon_installed():
        prepare_system()
    if names[:1] == [SOAK]:
        import soak
        return 0 if soak.main(float(names[1]), int(names[2])) else 1
    tests, measuring = selected_tests(names), not names or MEASUREMENTS in names
    if not tests and not measuring:
        print("no test is called so")
        return 1
    result = LiveResult()
    unittest.TestSuite(tests).run(result)
    if measuring:
        import measure
        measure.main(daemon_installed(), measure.AFTER_TESTS if tests else measure.BY_ITSELF)
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main(sys.argv[1:]))
