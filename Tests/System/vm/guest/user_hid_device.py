# SPDX-License-Identifier: Apache-2.0
"""A HID device implemented in user space: the protocol of /dev/uhid (linux/uhid.h).

Subclasses answer `get_report` and `set_report`, which the kernel calls and waits for, and call
`send_input` whenever the device has a report.
"""
import errno
import os
import select
import struct
import threading

DESTROY, GET_REPORT, GET_REPORT_REPLY, CREATE, INPUT, SET_REPORT, SET_REPORT_REPLY = 1, 9, 10, 11, 12, 13, 14
FEATURE_REPORT, OUTPUT_REPORT, INPUT_REPORT = 0, 1, 2
BUS_I2C = 0x18
NO_ANSWER = object()
EVENT_SIZE = 4380                   # of the kernel's struct uhid_event, the largest there is


class UserHidDevice:
    bus, vendor, product = BUS_I2C, 0x1234, 0x5678

    def __init__(self):
        self._file = None
        self._sending = threading.Lock()     # nothing is sent to the kernel once it was told of the end

    @property
    def path_part(self):
        """What is in its path in /sys/devices, and in no other product's."""
        return f"/{self.bus:04X}:{self.vendor:04X}:{self.product:04X}."

    def connect(self, name, descriptor):
        self._file = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        os.write(self._file, struct.pack("<I128s64s64sHHIIII4096s", CREATE, name.encode(), b"", b"",
                                         len(descriptor), self.bus, self.vendor, self.product, 0, 0, descriptor))
        self._unplugged = os.eventfd(0)
        self._listener = threading.Thread(target=self._listen, args=(self._file, self._unplugged), daemon=True)
        self._listener.start()

    def disconnect(self):
        with self._sending:
            file, self._file = self._file, None
            if file is None:
                return
            os.write(file, struct.pack("<I", DESTROY))
        # The listener has to be gone before the descriptors are: the next device gets their numbers.
        os.eventfd_write(self._unplugged, 1)
        self._listener.join()
        os.close(file)
        os.close(self._unplugged)

    def send_input(self, report):
        with self._sending:
            if self._file is not None:  # else it was unplugged a moment ago
                os.write(self._file, struct.pack("<IH", INPUT, len(report)) + report)

    def get_report(self, kind, number):
        """The report asked for, its number first; None refuses, NO_ANSWER keeps the kernel waiting."""
        return None

    def set_report(self, kind, report):
        """Take a report, its number first. False refuses, NO_ANSWER keeps the kernel waiting."""
        return False

    def _listen(self, file, unplugged):
        while True:
            readable, _, _ = select.select([file, unplugged], [], [])
            if unplugged in readable:
                return
            self._answer(file, os.read(file, EVENT_SIZE))

    def _answer(self, file, event):
        (kind,) = struct.unpack_from("<I", event)
        if kind == GET_REPORT:
            request, number, report_kind = struct.unpack_from("<IBB", event, 4)
            report = self.get_report(report_kind, number)
            if report is NO_ANSWER:
                return
            error = errno.EIO if report is None else 0
            report = report or b""
            self._reply(file, struct.pack("<IIHH", GET_REPORT_REPLY, request, error, len(report)) + report)
        elif kind == SET_REPORT:
            request, _, report_kind, size = struct.unpack_from("<IBBH", event, 4)
            accepted = self.set_report(report_kind, event[12:12 + size])
            if accepted is NO_ANSWER:
                return
            self._reply(file, struct.pack("<IIH", SET_REPORT_REPLY, request, 0 if accepted else errno.EIO))

    def _reply(self, file, event):
        try:
            os.write(file, event)
        except OSError as error:
            if error.errno != errno.EINVAL:     # it was unplugged meanwhile
                raise
