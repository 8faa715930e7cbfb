# SPDX-License-Identifier: Apache-2.0
"""A chip that reports motion: it compares each sample with the one before, and raises its interrupt if the difference is more than
a threshold. It raises the same interrupt for each sample while its driver wants that (the data-ready trigger).

What the driver wants, it writes to the chip's registers. Those of a model are in its subclass.
"""
import threading

from interrupt_line import InterruptLine
from i2c_stub import StubChip

LOOK_AT_REGISTERS = 0.05            # seconds; a real chip sees at once what its driver has written


class MotionChip(StubChip):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        self.lies = False           # a chip or a board whose interrupt never arrives
        self.interrupts = 0         # how often it has reported motion
        self._line = None
        self._reading = None        # in g, of each axis
        self._in_storm = False

    def motion_threshold(self, bus):
        """In g; None while the driver does not want to know of motion."""
        raise NotImplementedError

    def data_ready_interval(self, bus):
        """In seconds; 0 while the driver does not want an interrupt for each sample."""
        raise NotImplementedError

    def write_reason(self, bus, axes):
        """In the registers that the driver reads after an interrupt: it has moved along these axes, a list of (index, sign);
        if there are none, there is only a new sample."""
        raise NotImplementedError

    def connect(self):
        self._line = InterruptLine(self._adapter.name.removeprefix("i2c-"), self.model, self.address)
        self._unplugged = threading.Event()
        self._samples = threading.Thread(target=self._raise_for_samples, daemon=True)
        self._samples.start()

    def disconnect(self):
        self._unplugged.set()
        self._samples.join()
        self._line.remove()

    def moved_to(self, bus, reading):
        """A subclass calls it after it has written a new reading to its registers."""
        before, self._reading = self._reading, reading
        threshold = self.motion_threshold(bus)
        if before is None or threshold is None or self.lies:
            return
        axes = [(index, new - old) for index, (old, new) in enumerate(zip(before, reading)) if abs(new - old) > threshold]
        if axes:
            self._report(bus, axes)

    def move(self):
        """It is jolted, and reads the same as before. Reported whatever the threshold is, if the driver wants to know."""
        with self._bus() as bus:
            if self.motion_threshold(bus) is not None and not self.lies:
                self._report(bus, [(index, 1) for index in range(3)])

    def storm(self, interval=0.001):
        """The chip is broken, and reports motion all the time, until calm() is called."""
        with self._bus() as bus:
            self.write_reason(bus, [(index, 1) for index in range(3)])
        self._in_storm = True
        self._line.fire_each(interval)

    def calm(self):
        self._line.fire_each(0)
        with self._bus() as bus:
            self.write_reason(bus, [])
        self._in_storm = False

    def _report(self, bus, axes):
        self.write_reason(bus, axes)
        self._line.fire()
        self.interrupts += 1
        self.write_reason(bus, [])      # a real chip forgets it when the driver has read it

    def _raise_for_samples(self):
        """A thread. The module raises the interrupts; this sees when they are wanted, and how often."""
        present = 0
        while not self._unplugged.wait(LOOK_AT_REGISTERS):
            if self._in_storm:
                continue
            with self._bus() as bus:
                wanted = self.data_ready_interval(bus)
            if wanted != present:
                self._line.fire_each(wanted)
                present = wanted
