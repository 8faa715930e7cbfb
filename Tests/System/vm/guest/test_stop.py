# SPDX-License-Identifier: Apache-2.0
"""SIGTERM while the hub's driver hangs: the daemon exits at once and cleanly, whatever the driver does."""
import os
import signal
import time
from pathlib import Path

from orientationd_case import BEGIN, END
from poses import PORTRAIT
from test_hid_buffered import HidCase
from waiting import wait_until

WITHIN = 4                          # seconds: a second, if the machine is not busy; after five, the kernel gives the driver's request up


class StopWhileADriverHangs(HidCase):
    def stacks(self):
        """What the kernel says each thread of the daemon is in, the innermost call first."""
        for thread in Path(f"/proc/{self.service.process}/task").iterdir():
            try:
                yield [line.split()[1].partition("+")[0] for line in (thread / "stack").read_text().splitlines()]
            except OSError:             # it has ended
                continue

    def hanging_thread(self):
        """The calls of a thread that waits for the hub; None while none does."""
        return next((stack for stack in self.stacks() if any("uhid" in call for call in stack)), None)

    def stop_while_it_hangs(self):
        try:
            where = wait_until(self.hanging_thread, 10, "a thread that hangs")
        except TimeoutError:
            self.fail(f"no thread hangs, but: {list(self.stacks())}; {self.hub.story()}")
        time.sleep(0.3)
        print(f"      hangs in {' < '.join(where[:8])}", flush=True)
        self.assertIsNotNone(self.hanging_thread(), "it hangs no longer")
        process, asked = self.service.process, time.monotonic()
        os.kill(process, signal.SIGTERM)
        wait_until(lambda: not Path(f"/proc/{process}").exists(), 4, "the end")
        took = time.monotonic() - asked
        print(f"      ended in {took:.2f} s", flush=True)
        self.assertLess(took, WITHIN)
        wait_until(lambda: self.service.show("ActiveState") == "inactive", 5, "the end of the unit")
        self.assertEqual(self.service.show("Result"), "success")

    def test_while_it_is_opened(self):
        self.device.property("HasAccelerometer")
        self.hub.hang()
        self.client.call(BEGIN)
        self.stop_while_it_hangs()

    def test_while_it_is_read(self):
        # Somebody has its buffer, so it is polled.
        holder = os.open(f"/dev/{self.iio.path.name}", os.O_RDONLY)
        self.addCleanup(os.close, holder)
        self.begin()
        self.hub.hang()
        self.stop_while_it_hangs()

    def test_while_an_attribute_is_written(self):
        self.begin()
        self.hub.hang()                 # and soon the tablet is at rest
        self.stop_while_it_hangs()

    def test_while_it_is_asked_whether_it_lives(self):
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")
        self.hub.die()
        self.stop_while_it_hangs()

    def test_while_it_is_closed(self):
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")
        self.hub.hang()
        self.client.call(END)           # the sensitivity is taken back
        self.stop_while_it_hangs()

    def setUp(self):
        super().setUp()
        self.hub.hold(PORTRAIT)
        # What hangs would keep the next test's hub from its place.
        self.addCleanup(time.sleep, 6)
        self.addCleanup(self.hub.answer)
