# SPDX-License-Identifier: Apache-2.0
"""A tablet in a person's hands: it has a hub and a chip, which both measure every turn, and a keyboard with its own hub."""
import math
import time
from dataclasses import replace

import iio_device
import test_hotplug
from hid_sensor import ALL_EVENTS
from hid_sensor_hub import HidSensorHub
from i2c_chip import I2CChip
from poses import ALL_SIX, PORTRAIT

# From the pose's axis, in degrees. An upright pose is left at 52 degrees; a face is taken below a rise of 17 and left at 27. To lean by
# so much never crosses a border, and after a turn leaves no doubt.
LARGEST_LEAN = 25
LARGEST_LEAN_OF_A_FACE = 12
STEP = 0.05                         # seconds between two positions of a movement: a hub reports every 0.04


class KeyboardHub(HidSensorHub):
    """The second hub of a convertible: of the same name as the one in the display."""
    product = 0x5679

    @property
    def was_used(self):
        return any(entry.what == "reporting" and entry.value == ALL_EVENTS for entry in self.log)


# As the hardware database places hubs. One in the base would be used for the tablet mode, which the model does not know.
PLACES = "\n".join(f'SUBSYSTEM=="iio", KERNELS=="{hub.path_part[1:]}*", ENV{{ACCEL_LOCATION}}="{place}"'
                   for hub, place in ((HidSensorHub(), "display"), (KeyboardHub(), "camera")))


class Tablet:
    def __init__(self, chance):
        self.hub, self.chip, self.keyboard = HidSensorHub(), I2CChip(), KeyboardHub()
        self._chance = chance
        self._direction = PORTRAIT.held_up_by

    # Movements. Each returns when it began, in seconds on the boot-time clock.

    def turn(self, pose, steps):
        """In so many steps, straight, to another pose."""
        target, start = self._leaning(pose), self._direction
        began = time.clock_gettime(time.CLOCK_BOOTTIME)
        for step in range(1, steps + 1):
            self._hold(pose, _unit([a + (b - a) * step / steps for a, b in zip(start, target)]))
            time.sleep(STEP if steps > 1 else 0)
        return began

    def move_about(self, pose, steps):
        """Without leaving the pose."""
        for _ in range(steps):
            self._hold(pose, self._leaning(pose))
            time.sleep(self._chance.uniform(STEP, 3 * STEP))

    def hold_straight(self, pose):
        self._hold(pose, pose.held_up_by)

    def _leaning(self, pose):
        aside = [0 if axis else self._chance.gauss(0, 1) for axis in pose.held_up_by]
        largest = LARGEST_LEAN_OF_A_FACE if pose.held_up_by[2] else LARGEST_LEAN
        lean = math.tan(math.radians(self._chance.uniform(0, largest)))
        return _unit([axis + lean * part for axis, part in zip(pose.held_up_by, _unit(aside))])

    def _hold(self, pose, direction):
        self._direction = direction
        leaning = replace(pose, held_up_by=tuple(direction))
        self.hub.hold(leaning)
        self.chip.hold(leaning)

    # Sensors that come and go.

    def place_hubs(self):
        test_hotplug.add_rules(test_hotplug.PLACE_RULE, PLACES)

    def plug_hub(self):
        self.hub.plug()
        self.wait_for_hub()

    def unplug_hub(self):
        unplug(self.hub)

    def plug_keyboard(self):
        self.keyboard.plug()
        iio_device.wait_for(self.keyboard.iio_name, self.keyboard.path_part)

    def unplug_keyboard(self):
        unplug(self.keyboard)

    def bind_chip(self):
        self.chip.bind()
        iio_device.wait_for(self.chip.iio_name)

    def unbind_chip(self):
        self.chip.unbind()
        iio_device.wait_for_none(self.chip.iio_name)

    def wait_for_hub(self):
        return iio_device.wait_for(self.hub.iio_name, self.hub.path_part)

    def name_of(self, sensor):
        """What the daemon calls the one of the tablet's own sensors that has this name in the kernel; "" of none."""
        if sensor is None:
            return ""
        found = iio_device.find(sensor, self.hub.path_part if sensor == self.hub.iio_name else "")
        return f"{sensor} ({found.path.name})" if found else sensor


def unplug(hub):
    hub.unplug()
    iio_device.wait_for_none(hub.iio_name, hub.path_part)


def neighbours(pose):
    """The poses that are a quarter turn away. On the way to the opposite one a tablet passes a third."""
    return [other for other in ALL_SIX if not any(a * b for a, b in zip(pose.held_up_by, other.held_up_by))]


def _unit(vector):
    length = math.sqrt(sum(part * part for part in vector))
    return [part / length for part in vector]
