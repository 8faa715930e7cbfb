# SPDX-License-Identifier: Apache-2.0
"""The report descriptor of a HID sensor hub with one 3D accelerometer, built from named parts.

Names and numbers are those of the HID Usage Tables, chapter "Sensors" (usage page 0x20).
"""
import struct

SENSOR_PAGE = 0x20
SENSOR_COLLECTION = 0x01
MOTION_ACCELEROMETER_3D = 0x73

CONNECTION_TYPE, CONNECTION_TYPES = 0x0309, range(0x0830, 0x0833)
REPORTING_STATE, REPORTING_STATES = 0x0316, range(0x0840, 0x0846)
POWER_STATE, POWER_STATES = 0x0319, range(0x0850, 0x0856)
SENSOR_STATE, SENSOR_STATES = 0x0201, range(0x0800, 0x0807)
SENSOR_EVENT, SENSOR_EVENTS = 0x0202, range(0x0810, 0x0816)
REPORT_INTERVAL = 0x030E
CHANGE_SENSITIVITY = 0x1452         # usage "acceleration" with the modifier "sensitivity, absolute"
ACCELERATION_AXES = (0x0453, 0x0454, 0x0455)

REPORT_ID = 1


def _item(tag, *value):
    """A short item: its tag with the length in the two lowest bits, then the little-endian value."""
    data = b"".join(value)
    return bytes([tag | {0: 0, 1: 1, 2: 2, 4: 3}[len(data)]]) + data


def _number(value, size):
    return value.to_bytes(size, "little", signed=value < 0)


def _usage_page(page): return _item(0x04, _number(page, 1))
def _usage(usage): return _item(0x08, _number(usage, 1 if usage < 0x100 else 2))
def _physical(*content): return _item(0xA0, b"\x00") + b"".join(content) + _item(0xC0)
def _application(*content): return _item(0xA0, b"\x01") + b"".join(content) + _item(0xC0)
def _logical(*content): return _item(0xA0, b"\x02") + b"".join(content) + _item(0xC0)
def _report_id(number): return _item(0x84, _number(number, 1))
def _unit_exponent(power_of_ten): return _item(0x54, _number(power_of_ten & 0xF, 1))
def _input_array(): return _item(0x80, b"\x00")
def _input_variable(): return _item(0x80, b"\x02")
def _feature_array(): return _item(0xB0, b"\x00")
def _feature_variable(): return _item(0xB0, b"\x02")


def _one_field(minimum, maximum, bits):
    size = 4 if bits == 32 else 2
    return (_item(0x14, _number(minimum, size)) + _item(0x24, _number(maximum, size))
            + _item(0x74, _number(bits, 1)) + _item(0x94, b"\x01"))


def _selector(usage, choices, lowest, main_item):
    """A field that holds one of some named values. The kernel counts them from `lowest`."""
    return (_usage(usage) + _one_field(lowest, lowest + len(choices) - 1, 8)
            + _logical(*(_usage(choice) for choice in choices), main_item))


def _value(usage, minimum, maximum, bits, exponent, main_item):
    return _usage(usage) + _one_field(minimum, maximum, bits) + _unit_exponent(exponent) + main_item


def _axis(usage, bits, exponent):
    return _value(usage, -(1 << bits - 1), (1 << bits - 1) - 1, bits, exponent, _input_variable())


class AccelerometerReports:
    """The descriptor and the layout of the reports that it describes.

    16-bit axes count in milli-g, 32-bit axes in micro-g.
    """

    def __init__(self, axis_bits):
        self.axis_exponent = {16: -3, 32: -6}[axis_bits]
        self.counts_per_g = 10 ** -self.axis_exponent
        self._input_layout = {16: "<BBB3h", 32: "<BBB3i"}[axis_bits]
        self._axis_bits = axis_bits

    @property
    def descriptor(self):
        return (_usage_page(SENSOR_PAGE) + _usage(SENSOR_COLLECTION)
                + _application(_usage(MOTION_ACCELEROMETER_3D),
                               _physical(_report_id(REPORT_ID), self._feature_fields(), self._input_fields())))

    def _feature_fields(self):
        # Reporting and power states have to count from 1: the kernel's driver does.
        return (_selector(CONNECTION_TYPE, CONNECTION_TYPES, 0, _feature_array())
                + _selector(REPORTING_STATE, REPORTING_STATES, 1, _feature_array())
                + _selector(POWER_STATE, POWER_STATES, 1, _feature_array())
                + _selector(SENSOR_STATE, SENSOR_STATES, 0, _feature_array())
                + _value(REPORT_INTERVAL, 0, 0x7FFFFFFF, 32, 0, _feature_variable())
                + _value(CHANGE_SENSITIVITY, 0, 0x7FFF, 16, self.axis_exponent, _feature_variable()))

    def _input_fields(self):
        return (_selector(SENSOR_STATE, SENSOR_STATES, 0, _input_array())
                + _selector(SENSOR_EVENT, SENSOR_EVENTS, 0, _input_array())
                + b"".join(_axis(usage, self._axis_bits, self.axis_exponent) for usage in ACCELERATION_AXES))

    _FEATURE_LAYOUT = "<BBBBBIH"

    def pack_feature(self, reporting, power, interval, sensitivity):
        internal, ready = 0, 2
        return struct.pack(self._FEATURE_LAYOUT, REPORT_ID, internal, reporting, power, ready, interval, sensitivity)

    def unpack_feature(self, report):
        """The settable fields: reporting state, power state, report interval, change sensitivity."""
        size = struct.calcsize(self._FEATURE_LAYOUT)
        fields = struct.unpack(self._FEATURE_LAYOUT, report[:size].ljust(size, b"\x00"))
        _, _, reporting, power, _, interval, sensitivity = fields
        return reporting, power, interval, sensitivity

    def pack_input(self, acceleration):
        ready, data_updated = 2, 3
        counts = (round(axis * self.counts_per_g) for axis in acceleration)
        return struct.pack(self._input_layout, REPORT_ID, ready, data_updated, *counts)
