# SPDX-License-Identifier: Apache-2.0
"""The installed daemon while sensors appear and disappear."""
import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import iio_device
import process_figures
from i2c_chip import I2CChip
from orientationd_case import BEGIN, END, OrientationdCase, announced_property, orientation_signal
from poses import FACE_DOWN, FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, PORTRAIT
from test_hid_buffered import HidCase
from waiting import wait_until

REPLUGS = 10
REBINDS = 100
EVENTS = 1000
SETTLED = 300                       # seconds; udev on a slow machine
RULES = Path("/run/udev/rules.d")
SLOW_RULE = RULES / "50-slow.rules"
PLACE_RULE = RULES / "61-place.rules"
LIGHT_RULE = RULES / "60-orientationd.rules"


class ComesAndGoes:
    def begin(self, sensor):
        sensor.hold(PORTRAIT)
        self.client.call(BEGIN)
        self.wait_for_orientation(PORTRAIT.name)

    def statuses_since(self, position):
        """Every SensorStatus that was announced, in order."""
        changes = (signal.changed_properties() for signal in self.signals.since(position, "PropertiesChanged"))
        return [change["SensorStatus"] for change in changes if "SensorStatus" in change]

    def expect_no_failure(self, position):
        statuses = self.statuses_since(position)
        self.assertNotIn("failed", statuses)
        self.assertNotIn("silent", statuses)
        self.assertFalse([pair for pair in zip(statuses, statuses[1:]) if pair[0] == pair[1]], "told twice")
        told = [entry["MESSAGE"] for entry in self.service.journal() if "does not work" in entry["MESSAGE"]]
        self.assertEqual(told, [])

    def expect_nothing_kept(self, before):
        files, memory = before
        process = self.service.process
        # A sensor at rest can have other files open than one that moves; one kept each time would show.
        more = len(process_figures.open_files(process)) - len(files)
        self.assertLess(more, 5, process_figures.open_files(process))
        grown = self.memory() - memory
        print(f"      anonymous memory: {memory} kB before, {grown} kB more now", flush=True)
        self.assertLess(grown, 64)

    def kept(self):
        memory = self.memory()
        return process_figures.open_files(self.service.process), memory

    def memory(self):
        """kB, anonymous, while libiio is unloaded: some seconds after the last event, which a busy udev may report late."""
        process, figures = self.service.process, []

        def has_libiio():
            return "libiio" in Path(f"/proc/{process}/maps").read_text()

        def is_measured():
            if has_libiio():
                return False
            time.sleep(0.5)
            figures.append(process_figures.memory(process).anonymous)
            return not has_libiio()

        udevadm("settle", f"--timeout={SETTLED}")
        wait_until(is_measured, 60, "end of libiio")
        return figures[-1]


class HubThatComesAndGoes(HidCase, ComesAndGoes):
    begin = ComesAndGoes.begin

    def test_again_and_again_serves_the_same_client(self):
        self.begin(self.hub)
        self.client.call(BEGIN)
        before = self.kept()
        position = self.signals.position
        for count in range(REPLUGS):
            here = self.signals.position
            self.hub.unplug()
            self.expect_signal(orientation_signal(0), here, "OrientationDidChange to unknown")
            pose = (FACE_UP, PORTRAIT)[count % 2]
            self.hub.hold(pose)
            self.hub.plug()
            self.expect_signal(orientation_signal(pose.orientation), here, "OrientationDidChange")
        self.assertEqual(self.statuses_since(position), ["absent", "starting", "active"] * REPLUGS)
        self.expect_no_failure(position)
        self.expect_nothing_kept(before)
        self.client.call(END)
        self.assertEqual(self.device.property("SensorStatus"), "active")
        self.client.call(END)
        self.assertEqual(self.device.property("SensorStatus"), "idle")

    def test_unplugged_while_udev_runs_the_commands_of_the_rules_leaves_no_complaint_of_them(self):
        self.hub.unplug()
        iio_device.wait_for_none(self.hub.iio_name)
        add_rules(SLOW_RULE, 'KERNEL=="iio:device*", ACTION=="add", RUN+="/bin/sleep 3"')
        self.addCleanup(forget_rules, SLOW_RULE)
        began = time.time()
        self.hub.plug()
        iio = iio_device.wait_for(self.hub.iio_name)
        wait_until(Path("/run/udev/data/c" + iio.read("dev")).exists, 10, "word that it is set up")
        self.hub.unplug()
        udevadm("settle", f"--timeout={SETTLED}")
        subprocess.run(["journalctl", "--sync"], check=True)
        told = subprocess.run(["journalctl", "--quiet", "--output=cat", f"--since=@{began}", "--unit=systemd-udevd.service"],
                              check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual([line for line in told if "find" in line], [])

    def test_under_another_number_is_the_same_to_clients(self):
        self.begin(self.hub)
        self.hub.unplug()
        self.wait_for_property("SensorStatus", "absent")
        chip = I2CChip()                # takes the number
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        self.wait_for_property("SensorStatus", "active")
        self.assertIn(chip.iio_name, self.device.property("SensorName"))
        place_in_display()
        self.addCleanup(forget_rules, PLACE_RULE)
        self.hub.hold(LANDSCAPE_RIGHT)
        chip.hold(FACE_DOWN)
        self.wait_for_orientation(FACE_DOWN.name)
        position = self.signals.position
        self.hub.plug()                 # better than the chip, of which nobody knows where it sits
        self.expect_signal(orientation_signal(4), position, "OrientationDidChange")
        self.assertIn("accel_3d (iio:device1)", self.device.property("SensorName"))
        self.assertEqual(self.statuses_since(position), ["starting", "active"])
        self.assertEqual(len(self.signals.since(position, "OrientationDidChange")), 1)
        self.client.call(END)
        self.client.call(BEGIN)
        self.wait_for_property("SensorStatus", "active")
        self.wait_for_orientation(LANDSCAPE_RIGHT.name)
        # The hub's buffer works, which is no news of the chip, whose buffer does not.
        self.assertFalse([entry for entry in self.service.journal() if "works again" in entry["MESSAGE"]])
        position = self.signals.position
        self.hub.unplug()
        self.expect_signal(orientation_signal(FACE_DOWN.orientation), position, "the chip's word")
        self.expect_no_failure(0)

    def test_with_slow_udev_rules_is_not_used_before_they_are_applied(self):
        self.hub.unplug()
        iio_device.wait_for_none(self.hub.iio_name)
        self.client.call(BEGIN)
        position = self.signals.position
        self.assertEqual(self.device.property("SensorStatus"), "absent")
        add_rules(SLOW_RULE, 'KERNEL=="iio:device*", ACTION=="add", PROGRAM="/bin/sleep 3"')
        self.addCleanup(forget_rules, SLOW_RULE)
        place_in_display()              # so that it goes before the chip
        self.addCleanup(forget_rules, PLACE_RULE)
        self.hub.hold(PORTRAIT)
        self.hub.plug()
        iio_device.wait_for(self.hub.iio_name)
        chip = I2CChip()                # its event comes meanwhile, and makes the daemon look
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        self.expect_signal(orientation_signal(1), position, "OrientationDidChange")
        self.expect_no_failure(position)

    def test_whose_permissions_come_late_is_waited_for_and_not_polled_instead(self):
        self.hub.unplug()
        iio_device.wait_for_none(self.hub.iio_name)
        chip = I2CChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        chip.hold(FACE_DOWN)
        self.client.call(BEGIN)
        self.wait_for_orientation(FACE_DOWN.name)
        place_in_display()
        self.addCleanup(forget_rules, PLACE_RULE)
        # Udev says that a device is set up, and then runs the commands of its rules.
        add_rules(SLOW_RULE, 'KERNEL=="iio:device*", ACTION=="add", RUN+="/bin/sleep 3"')
        self.addCleanup(forget_rules, SLOW_RULE)
        position = self.signals.position
        self.hub.hold(PORTRAIT)
        self.hub.plug()
        iio = iio_device.wait_for(self.hub.iio_name)
        wait_until(Path("/run/udev/data/c" + iio.read("dev")).exists, 10, "word that it is set up")
        (iio_device.find(chip.iio_name).path / "uevent").write_text("change")    # makes the daemon look
        self.expect_signal(orientation_signal(1), position, "OrientationDidChange")
        self.assertTrue(iio.buffer_enabled)
        self.assertFalse([entry for entry in self.service.journal() if "permission" in entry["MESSAGE"]])
        self.expect_no_failure(position)

    def test_is_not_lost_while_another_sensor_comes_and_goes(self):
        chip = I2CChip()
        chip.plug()
        self.addCleanup(chip.unplug)
        self.addCleanup(self.service.stop)
        place_in_display()
        self.addCleanup(forget_rules, PLACE_RULE)
        self.hub.unplug()
        self.plug_hub()
        self.begin(self.hub)
        self.wait_for_property("SensorStatus", "active")
        position = self.signals.position
        for _ in range(REBINDS):
            chip.unbind()
            chip.bind()
        udevadm("settle", f"--timeout={SETTLED}")
        time.sleep(1)
        self.assertEqual(self.signals.since(position), [])
        self.assertFalse([entry for entry in self.service.journal() if "MESSAGE_ID" not in entry])

    def test_storm_of_events_leaves_the_sensor_alone(self):
        self.begin(self.hub)
        process = self.service.process
        wait_until(lambda: self.device.property("SensorStatus") == "active", 5, "active")
        before, position, told = self.kept(), self.signals.position, len(self.hub.log)
        work, began, sent = process_figures.WorkCounter(process), time.monotonic(), self.hub.reports_sent
        with light_rules():
            for count in range(EVENTS // 20):
                tell_udev(20, ("add", "change", "remove")[count % 3])
                if count == EVENTS // 40:
                    self.hub.hold(LANDSCAPE_LEFT)
            udevadm("settle", f"--timeout={SETTLED}")
        seconds = time.monotonic() - began
        used = work.work
        print(f"      {EVENTS} events in {seconds:.1f} s: {used.cpu_seconds / seconds:.1%} of a processor, "
              f"woken up {used.wake_ups} times, {self.hub.reports_sent - sent} reports", flush=True)
        self.expect_signal(orientation_signal(3), position, "OrientationDidChange")
        # The hub, which is part of this program, may be held up by the storm for so long that it is rightly called silent.
        self.assertLessEqual(set(self.statuses_since(position)), {"silent", "active"})
        self.wait_for_property("SensorStatus", "active")
        # Opened anew, it would be told to report again; sensitivity and interval follow the tablet's rest. A hub that was held up is: off
        # and on, of which each is told by two settings; then the journal says why.
        settings = [entry for entry in self.hub.log[told:] if entry.what in ("power", "reporting")]
        journal = [entry["MESSAGE"] for entry in self.service.journal()]
        silences = [message for message in journal if "polling it instead" in message or "does not work" in message]
        self.assertLessEqual(len(settings), 4 * len(silences), [*settings, *journal])
        self.assertEqual(len([message for message in journal if "accelerometer accel_3d" in message]), 1, journal)
        self.expect_nothing_kept(before)

    def test_last_event_of_a_storm_counts_also_for_a_daemon_that_was_held_up(self):
        self.begin(self.hub)
        process = self.service.process
        os.kill(process, signal.SIGSTOP)
        with light_rules():
            for _ in range(EVENTS // 200):      # the watchdog's patience ends after 30 s
                tell_udev(50, "change")
            udevadm("settle", f"--timeout={SETTLED}")
        self.hub.unplug()
        udevadm("settle")
        os.kill(process, signal.SIGCONT)
        self.wait_for_property("SensorStatus", "absent", 3)
        self.hub.plug()
        self.wait_for_orientation(PORTRAIT.name)


class DriverThatIsUnboundAndBound(OrientationdCase, ComesAndGoes):
    def setUp(self):
        super().setUp()
        self.chip = I2CChip()
        self.iio = self.plug_in(self.chip)
        self.begin(self.chip)

    def test_loses_the_sensor_and_finds_it_again(self):
        position = self.signals.position
        self.chip.unbind()
        self.expect_signal(orientation_signal(0), position, "OrientationDidChange to unknown")
        self.expect_signal(announced_property("SensorStatus", "absent"), position, "SensorStatus absent")
        self.assertFalse(self.device.property("HasAccelerometer"))
        self.chip.hold(FACE_DOWN)
        self.chip.bind()
        self.expect_signal(orientation_signal(FACE_DOWN.orientation), position, "its return")
        self.assertEqual(self.statuses_since(position), ["absent", "starting", "active"])
        self.expect_no_failure(position)

    def test_again_and_again_without_a_pause_leaves_nothing_behind(self):
        position = self.signals.position
        self.cycle()                    # what is kept after the first time is kept once
        self.expect_signal(announced_property("SensorStatus", "active"), position, "SensorStatus active")
        before, position = self.kept(), self.signals.position
        for _ in range(REBINDS):
            self.cycle()
        self.chip.hold(LANDSCAPE_LEFT)
        self.wait_for_orientation(LANDSCAPE_LEFT.name)
        self.wait_for_property("SensorStatus", "active")
        self.expect_no_failure(position)
        self.expect_nothing_kept(before)

    def cycle(self):
        self.chip.unbind()
        self.chip.bind()

    def test_while_nobody_asks_is_there_or_not(self):
        self.client.call(END)
        self.chip.unbind()
        self.wait_for_property("SensorStatus", "absent")
        self.chip.bind()
        self.wait_for_property("SensorStatus", "idle")
        self.assertTrue(self.device.property("HasAccelerometer"))


def udevadm(*arguments):
    subprocess.run(["udevadm", *arguments], check=True, timeout=SETTLED)


def tell_udev(count, action):
    """Have the kernel tell of each IIO device again, so many times over; it has not changed."""
    files = [str(path / "uevent") for path in iio_device.DEVICES.glob("iio:device*")]
    for _ in range(count):
        for file in files:
            Path(file).write_text(action)


def place_in_display():
    """As the hardware database says of some hubs."""
    add_rules(PLACE_RULE, 'SUBSYSTEM=="iio", ATTR{name}=="accel_3d", ENV{ACCEL_LOCATION}="display"')


@contextlib.contextmanager
def light_rules():
    """Without the command that looks for the attributes' files: emulation takes 0.1 s for it, and they are found by now."""
    add_rules(LIGHT_RULE, 'KERNEL=="iio:device*", GROUP="orientationd", MODE="0660"')
    try:
        yield
    finally:
        forget_rules(LIGHT_RULE)


def add_rules(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text + "\n")
    udevadm("control", "--reload")


def forget_rules(file):
    file.unlink()
    udevadm("control", "--reload")
