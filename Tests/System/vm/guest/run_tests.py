# SPDX-License-Identifier: Apache-2.0
"""run_tests.py [NAME... | --soak HOURS SEED]: in the guest, run the tests, then the measurements; or a soak instead.

A NAME selects the tests whose full name (module.Class.test) contains it; `measure` the measurements, `measure=brief` shorter
ones, `measure=fidget` that of turns which come quickly one after another, `measure=turns` a hundred turns on each kind of sensor,
`measure=latency` the stages from a turn to the signal, `measure=hubs` the rest on each kind of hub, `measure=rest` the first minute
at rest on each kind of sensor, `measure=motion` programs that read motion; `share=0/2` the first of two halves of the tests.
One line for each test, as soon as it is over: the host counts these lines. A test that failed while the machine stood still is run
once more, at the end; its first line begins with "late", which the host counts apart.
"""
import faulthandler
import importlib
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

import machine_sleep
import packages
import start_by_udev
from standstill import Standstill
from systemd_service import systemctl

HERE = Path(__file__).parent
# The program of `orientationctl follow`, in its package or installed without one.
FOLLOWER = packages.FOLLOWER or shutil.which("orientationctl-follow", path="/usr/libexec")
MEASUREMENTS = {"measure": "measure.whole", "measure=brief": "measure.brief", "measure=fidget": "measure.fidget",
                "measure=turns": "measure_turns.main", "measure=hubs": "measure_hubs.main",
                "measure=rest": "measure_rest.main", "measure=latency": "measure_latency.main",
                "measure=motion": "measure_motion.main"}
# About how long a test of a module takes, in seconds, if it is not 5: so guests that share them end at about the same time.
SECONDS = {"tarball": 38, "package_sensor_proxy": 29, "calibrate": 20, "hub_firmware": 20, "package": 20, "sleep": 18,
           "failures": 14, "freeze": 14, "neighbour": 13, "sensor_proxy_ambient": 13, "motion_events": 11, "tablet_mode": 11,
           "hotplug": 10, "rate": 10, "sensor_proxy_matrices": 10, "stop": 10, "sensor_proxy": 9, "service": 9,
           "i2c_polled": 8, "sensor_proxy_users": 8, "network": 7, "start": 7, "follow_x": 6, "hid_buffered": 6,
           "motion_socket": 6, "motion_users": 6, "reload": 6, "sensors": 6, "hostile": 4, "motion_sensors": 4,
           "natural_orientation": 4, "hardware_switches": 3, "rig_motion": 2, "rig": 1, "rig_result": 1, "state": 1,
           "rig_soak": 0}
# What shows that the daemon works on a platform: for those whose whole suite would take too long. A word among the names stands for it.
CORE = ["package.InstalledPackages", "test_follows_all_six_poses", "test_plugged_in_again", "LockedTablet.test_is_not_told",
        "LockedTablet.test_can_be_rotated", "test_loses_the_sensor_and_finds_it_again", "test_is_not_lost_while_another",
        "test_confinement", "test_sleep.SleepingTablet"]
# Of a process that ends by a mistake of its own: it is started again, so a test may not see it.
CRASH = re.compile(r"\b(orientationd|sensor-\S+|state-saver|motion|motion-closer|gyroscope)\[\d+\]:? (segfault|trap|general protection)")
# After so many seconds, a test says where it is, in case that it hangs; the host ends the guest after a longer silence.
LONGEST_TEST = 200
SHARE = re.compile(r"share=(\d+)/(\d+)")
SOAK = "--soak"


class LiveResult(unittest.TestResult):
    """`standstill`: the failures of a time in which the machine stood still are not counted, but kept in `late`."""

    def __init__(self, standstill=None):
        super().__init__()
        self.failed = False
        self.late = []
        self._standstill = standstill

    def startTest(self, test):
        super().startTest(test)
        self._began = time.monotonic()
        faulthandler.dump_traceback_later(LONGEST_TEST, file=sys.__stdout__)
        self._problems = []
        self._skipped = None

    def addFailure(self, test, problem):
        text = self._exc_info_to_string(problem, test)
        if isinstance(test, unittest.TestCase):
            self._problems.append(text)
        else:
            self._report("FAIL", 0, str(test), [text])   # what a class does before or after its tests, such as setUpClass

    addError = addFailure

    def addSubTest(self, test, subtest, problem):
        if problem:
            self.addFailure(subtest, problem)
            self._problems[-1] = f"{subtest._subDescription()}\n{self._problems[-1]}"
            # The host ends a guest that says nothing for long, and other parts of the test may fail as slowly.
            print(f"      fails: {subtest._subDescription()}", flush=True)

    def addSkip(self, test, reason):
        self._skipped = reason

    def stopTest(self, test):
        super().stopTest(test)
        faulthandler.cancel_dump_traceback_later()
        seconds = time.monotonic() - self._began
        verdict = "FAIL" if self._problems else "skip" if self._skipped else "ok"
        if self._problems and self._standstill and (stood := self._standstill.longest_since(self._began)):
            verdict = "late"
            self._problems.insert(0, f"the machine stood still for {stood:.1f} s meanwhile; this test is run once more")
            self.late.append(test)
        self._report(verdict, seconds, sentence(test), self._problems + [self._skipped or ""])

    def _report(self, verdict, seconds, name, texts):
        self.failed |= verdict == "FAIL"
        report(verdict, seconds, name, texts)


def report(verdict, seconds, name, texts):
    print(f"{verdict:<5}{seconds:5.1f} s  {name}", flush=True)
    for text in texts:
        print("".join(f"        {line}\n" for line in text.splitlines()), end="", flush=True)


def run_twice(suite, standstill=None):
    """Whether a test failed, while the machine did not stand still or once more."""
    first, second = LiveResult(standstill), LiveResult()
    suite.run(first)
    unittest.TestSuite(first.late).run(second)
    return first.failed or second.failed


def sentence(test):
    """test_hid_buffered.OrientationOfATablet.test_follows_all_six_poses, for people."""
    module, *_, subject, behaviour = test.id().split(".")
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in subject)
    return f"{module.removeprefix('test_')}:{words}: {behaviour.removeprefix('test_').replace('_', ' ')}"


def crashes():
    """What the kernel says of each crash of one of the daemon's threads; it says nothing of signals that a test sends."""
    told = subprocess.run(["dmesg"], check=True, capture_output=True, text=True).stdout
    return [line for line in told.splitlines() if CRASH.search(line)]


def daemon_installed():
    return shutil.which("orientationd", path="/usr/libexec") is not None


def install_packages():
    packages.remember_files()
    began = time.monotonic()
    packages.dpkg("--install", *packages.FILES)
    print(f"      packages installed in {time.monotonic() - began:.1f} s", flush=True)


def prepare_system():
    """What a package does after its files are unpacked, where they came without one."""
    subprocess.run(["systemd-sysusers"], check=True)
    # Not `udevadm control --reload`: udevd may have read the new rules already, before their group
    # was there, and reads them again only if they changed.
    systemctl("restart", "systemd-udevd.service")
    systemctl("daemon-reload")
    systemctl("reload", "dbus.service")
    systemctl("enable", "orientationd.service")
    systemctl("start", "orientationd-motion.socket")


def all_tests(suite):
    for entry in suite:
        if isinstance(entry, unittest.TestSuite):
            yield from all_tests(entry)
        else:
            yield entry


def selected_tests(names):
    """Without an installed daemon, the rig's own; those of the packages where they are."""
    pattern = "test_*.py" if daemon_installed() else "test_rig*.py"
    found = all_tests(unittest.defaultTestLoader.discover(str(HERE), pattern))
    found = [test for test in found if packages.FILES or not test.id().startswith("test_package")]
    found = [test for test in found if packages.SENSOR_PROXY or not test.id().startswith("test_package_sensor_proxy")]
    found = [test for test in found if FOLLOWER or not test.id().startswith("test_follow")]
    found = [test for test in found if packages.TARBALL and packages.FILES or not test.id().startswith("test_tarball")]
    found = [test for test in found if machine_sleep.is_possible() or "SleepingTablet" not in test.id()]
    if names and (share := SHARE.fullmatch(names[0])):
        return share_of(found, *map(int, share.groups()))
    patterns = [name for name in names if name not in MEASUREMENTS and name != "core"]
    for pattern in patterns:
        if not any(pattern in test.id() for test in found):
            sys.exit(f"no test here has {pattern} in its name")
    if "core" in names:
        patterns += CORE
    return [test for test in found if not names or any(pattern in test.id() for pattern in patterns)]


def share_of(tests, number, count):
    """The classes dealt out, those that take the longest first, each to whom it keeps busy the least: whole, as some take turns with
    what they plug in."""
    classes = {}
    for test in tests:
        classes.setdefault(type(test), []).append(test)
    dealt = [([], 0)] * count
    for group, seconds in sorted(((group, seconds_of(group)) for group in classes.values()), key=lambda each: -each[1]):
        least = min(range(count), key=lambda index: dealt[index][1])
        dealt[least] = (dealt[least][0] + group, dealt[least][1] + seconds)
    return sorted(dealt[number][0], key=lambda test: test.id())


def seconds_of(group):
    """About how long the tests of a class take."""
    return len(group) * SECONDS.get(type(group[0]).__module__.removeprefix("test_"), 5)


def main(names):
    start_by_udev.prevent()
    if packages.FILES:
        install_packages()
    elif daemon_installed():
        prepare_system()
    if names[:1] == [SOAK]:
        import soak
        return 0 if soak.main(float(names[1]), int(names[2])) else 1
    tests, measurements = selected_tests(names), [MEASUREMENTS[name] for name in names if name in MEASUREMENTS]
    failed = run_twice(unittest.TestSuite(tests), Standstill() if tests else None)
    if lines := crashes():              # counts as a test only if it fails
        failed = True
        report("FAIL", 0, "the daemon does not crash", lines)
    for measurement in measurements:
        module, function = measurement.split(".")
        getattr(importlib.import_module(module), function)(daemon_installed())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main(sys.argv[1:]))
