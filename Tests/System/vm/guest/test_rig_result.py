# SPDX-License-Identifier: Apache-2.0
"""What the guest reports of its tests: nothing that went wrong may be missing."""
import contextlib
import io
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import run_tests
import standstill


class StoodStill:
    def __init__(self, seconds):
        self.seconds = seconds

    def longest_since(self, began):
        return self.seconds


def report_of(case, *watched):
    """The lines for a class of tests, and whether they say that something failed."""
    lines = io.StringIO()
    with contextlib.redirect_stdout(lines):
        failed = run_tests.run_twice(unittest.defaultTestLoader.loadTestsFromTestCase(case), *watched)
    return lines.getvalue(), failed


class ReportOfTests(unittest.TestCase):
    def test_names_each_test_and_what_failed(self):
        class Inner(unittest.TestCase):
            def test_passes(self):
                pass

            def test_fails(self):
                self.fail("on purpose")

        lines, failed = report_of(Inner)
        self.assertTrue(failed)
        self.assertEqual([line[:5].strip() for line in lines.splitlines() if not line.startswith(" ")], ["FAIL", "ok"])
        self.assertIn("on purpose", lines)

    def test_has_a_class_that_could_not_be_set_up(self):
        class Inner(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                raise OSError("on purpose")

            def test_never_runs(self):
                pass

        lines, failed = report_of(Inner)
        self.assertTrue(failed)
        self.assertRegex(lines, "^FAIL .*setUpClass")
        self.assertIn("on purpose", lines)

    def test_has_a_class_that_could_not_be_cleaned_up(self):
        class Inner(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.addClassCleanup(lambda: 1 / 0)

            def test_passes(self):
                pass

        lines, failed = report_of(Inner)
        self.assertTrue(failed)
        self.assertIn("ZeroDivisionError", lines)

    def test_has_a_failure_while_the_machine_stood_still_only_if_the_test_fails_once_more(self):
        class Inner(unittest.TestCase):
            runs = []

            @classmethod
            def setUpClass(cls):
                cls.is_set_up = True
                cls.addClassCleanup(delattr, cls, "is_set_up")

            def test_fails_in_the_first_run(self):
                self.assertTrue(self.is_set_up)
                self.runs.append(1)
                self.assertGreater(len(self.runs), 1)

            def test_fails_always(self):
                self.fail("on purpose")

        lines, failed = report_of(Inner, StoodStill(2.5))
        self.assertTrue(failed)
        self.assertEqual([line[:5].strip() for line in lines.splitlines() if not line.startswith(" ")], ["late", "late", "FAIL", "ok"])
        self.assertIn("stood still for 2.5 s", lines)

    def test_has_a_failure_while_the_machine_ran(self):
        class Inner(unittest.TestCase):
            def test_fails(self):
                self.fail("on purpose")

        lines, failed = report_of(Inner, StoodStill(0))
        self.assertTrue(failed)
        self.assertRegex(lines, "^FAIL ")

    def test_knows_how_long_a_process_stood_still(self):
        """As all of them do if the machine does."""
        program = ("from standstill import Standstill; import time; began, standstill = time.monotonic(), Standstill(); print(flush=True); "
                   "input(); print(standstill.longest_since(began), standstill.longest_since(time.monotonic()))")
        with subprocess.Popen([sys.executable, "-c", program], cwd=Path(standstill.__file__).parent, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            time.sleep(0.5)
            process.send_signal(signal.SIGSTOP)
            time.sleep(3)
            process.send_signal(signal.SIGCONT)
            stood, later = map(float, process.communicate("\n")[0].split())
        self.assertGreater(stood, 2)
        self.assertLess(later, 1)


if __name__ == "__main__":
    unittest.main()
