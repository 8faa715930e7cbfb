# SPDX-License-Identifier: Apache-2.0
"""The report descriptor of a HID sensor hub, built from named parts.

Names and numbers are those of the HID Usage Tables, chapter "Sensors" (usage page 0x20).
"""
import struct
from dataclasses import dataclass

SENSOR_PAGE = 0x20
SENSOR_COLLECTION = 0x01
AMBIENT_LIGHT, MOTION_ACCELEROMETER_3D, MOTION_GYROMETER_3D, ORIENTATION_COMPASS_3D = 0x41, 0x73, 0x76, 0x83

CONNECTION_TYPE, CONNECTION_TYPES = 0x0309, range(0x0830, 0x0833)
REPORTING_STATE, REPORTING_STATES = 0x0316, range(0x0840, 0x0846)
POWER_STATE, POWER_STATES = 0x0319, range(0x0850, 0x0856)
SENSOR_STATE, SENSOR_STATES = 0x0201, range(0x0800, 0x0807)
SENSOR_EVENT, SENSOR_EVENTS = 0x0202, range(0x0810, 0x0816)
REPORT_INTERVAL = 0x030E
SENSITIVITY_ABSOLUTE = 0x1000        # a modifier of what is measured
ACCELERATION, ACCELERATION_AXES = 0x0452, (0x0453, 0x0454, 0x0455)
ANGULAR_VELOCITY, ANGULAR_VELOCITY_AXES = 0x0456, (0x0457, 0x0458, 0x0459)
ILLUMINANCE = 0x04D1
HEADING, HEADING_FROM_MAGNETIC_NORTH = 0x0470, 0x0475       # the latter compensated for the tilt
MAGNETIC_FLUX_AXES = (0x0485, 0x0486, 0x0487)

FIRST_REPORT_ID = 1


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


@dataclass(frozen=True)
class Field:
    """One of the values that a sensor measures."""
    usage: int
    bits: int
    exponent: int                   # of ten: the unit's part that it counts in

    @property
    def item(self):
        most = (1 << self.bits - 1) - 1
        return _value(self.usage, -most - 1, most, self.bits, self.exponent, _input_variable())

    @property
    def letter(self):
        """As struct spells it."""
        return {16: "h", 32: "i"}[self.bits]

    def count(self, value):
        return round(value * 10 ** -self.exponent)


class SensorReports:
    """The part of the descriptor that is of a sensor, and the layout of the reports that it describes."""

    def __init__(self, kind, fields, sensitive_to, report_id=FIRST_REPORT_ID):
        """`sensitive_to`: the usage that its change sensitivity is of, which counts as the first field does. `report_id`: what
        distinguishes its reports from those of the hub's other sensors."""
        self.report_id = report_id
        self._kind, self._fields, self._sensitivity = kind, fields, SENSITIVITY_ABSOLUTE | sensitive_to
        self._input_layout = "<BBB" + "".join(field.letter for field in fields)

    @property
    def counts_per_unit(self):
        """Of the first field."""
        return 10 ** -self._fields[0].exponent

    @property
    def collection(self):
        return _usage(self._kind) + _physical(_report_id(self.report_id), self._feature_fields(), self._input_fields())

    def _feature_fields(self):
        # Reporting and power states have to count from 1: the kernel's driver does.
        return (_selector(CONNECTION_TYPE, CONNECTION_TYPES, 0, _feature_array())
                + _selector(REPORTING_STATE, REPORTING_STATES, 1, _feature_array())
                + _selector(POWER_STATE, POWER_STATES, 1, _feature_array())
                + _selector(SENSOR_STATE, SENSOR_STATES, 0, _feature_array())
                + _value(REPORT_INTERVAL, 0, 0x7FFFFFFF, 32, 0, _feature_variable())
                + _value(self._sensitivity, 0, 0x7FFF, 16, self._fields[0].exponent, _feature_variable()))

    def _input_fields(self):
        return (_selector(SENSOR_STATE, SENSOR_STATES, 0, _input_array())
                + _selector(SENSOR_EVENT, SENSOR_EVENTS, 0, _input_array())
                + b"".join(field.item for field in self._fields))

    _FEATURE_LAYOUT = "<BBBBBIH"

    def pack_feature(self, reporting, power, interval, sensitivity):
        internal, ready = 0, 2
        return struct.pack(self._FEATURE_LAYOUT, self.report_id, internal, reporting, power, ready, interval, sensitivity)

    def unpack_feature(self, report):
        """The settable fields: reporting state, power state, report interval, change sensitivity."""
        size = struct.calcsize(self._FEATURE_LAYOUT)
        fields = struct.unpack(self._FEATURE_LAYOUT, report[:size].ljust(size, b"\x00"))
        _, _, reporting, power, _, interval, sensitivity = fields
        return reporting, power, interval, sensitivity

    def pack_input(self, values):
        ready, data_updated = 2, 3
        counts = (field.count(value) for field, value in zip(self._fields, values))
        return struct.pack(self._input_layout, self.report_id, ready, data_updated, *counts)


def hub_descriptor(*reports):
    """Of a hub with the sensors that have these reports."""
    return (_usage_page(SENSOR_PAGE) + _usage(SENSOR_COLLECTION)
            + _application(*(each.collection for each in reports)))


def accelerometer_reports(axis_bits):
    """In g: 16-bit axes count in milli-g, 32-bit axes in micro-g."""
    axes = [Field(usage, axis_bits, {16: -3, 32: -6}[axis_bits]) for usage in ACCELERATION_AXES]
    return SensorReports(MOTION_ACCELEROMETER_3D, axes, ACCELERATION)


def gyroscope_reports(report_id):
    """In degrees a second, counted in hundredths."""
    axes = [Field(usage, 16, -2) for usage in ANGULAR_VELOCITY_AXES]
    return SensorReports(MOTION_GYROMETER_3D, axes, ANGULAR_VELOCITY, report_id)


def light_reports():
    """In lux, counted in tenths."""
    return SensorReports(AMBIENT_LIGHT, [Field(ILLUMINANCE, 32, -1)], ILLUMINANCE)


def compass_reports():
    """The heading in degrees, and the field of the earth, in milligauss. Whole degrees: the exponent of smaller
    parts, the kernel's driver leaves out of its scale (Linux 6.1)."""
    flux = [Field(usage, 16, 0) for usage in MAGNETIC_FLUX_AXES]
    return SensorReports(ORIENTATION_COMPASS_3D, [Field(HEADING_FROM_MAGNETIC_NORTH, 16, 0), *flux], HEADING)
