# SPDX-License-Identifier: Apache-2.0
"""What the guest reports of its tests: nothing that went wrong may be missing."""
import contextlib
import io
import unittest

import run_tests


def report_of(case):
    """The lines for a class of tests, and whether they say that something failed."""
    result, lines = run_tests.LiveResult(), io.StringIO()
    with contextlib.redirect_stdout(lines):
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return lines.getvalue(), result.failed


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


if __name__ == "__main__":
    unittest.main()
