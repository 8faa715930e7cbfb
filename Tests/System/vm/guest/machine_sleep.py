# SPDX-License-Identifier: Apache-2.0
"""Sleep of the machine, as far as a virtual machine supports it, and the signals of logind."""
import subprocess
from pathlib import Path

from standstill import slept
from waiting import wait_until

SLEEP = 3                           # seconds


def is_possible():
    """Whether there is a sleep in which the clocks stop. QEMU's machine for arm64 has none."""
    return "deep" in Path("/sys/power/mem_sleep").read_text()


def sleep_as_far_as_a_virtual_machine_can():
    """Have the kernel suspend everything down to its clocks, wait, and resume (Documentation/power/
    basic-pm-debugging): the emulated firmware would sleep on for ever."""
    Path("/sys/power/pm_test").write_text("core")
    Path("/sys/module/suspend/parameters/pm_test_delay").write_text(str(SLEEP))


class SleepToldByLogind:
    """Within it logind has said that the machine will sleep; at its end the machine sleeps and wakes up.

    Within it the sensors have to be let go of, too: with programs frozen nobody here answers the kernel, which would tell a
    hub to power down, and waits five seconds for each report.
    """

    def __enter__(self):
        sleep_as_far_as_a_virtual_machine_can()
        self._before = slept()
        self._inhibitor = subprocess.Popen(
            ["systemd-inhibit", "--what=sleep", "--mode=delay", "--why=the test", "sh", "-c", "echo; exec cat"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._inhibitor.stdout.readline()
        subprocess.run(["systemctl", "suspend"], check=True, timeout=30)

    def __exit__(self, *_):
        self._inhibitor.communicate(timeout=10)
        wait_until(lambda: slept() - self._before > 1, 60, "sleep and awakening")
