# SPDX-License-Identifier: Apache-2.0
"""What happens to the machine in a soak: sensors come and go, it sleeps, udev talks, the daemon ends and starts."""
import os
import signal
import subprocess
import time
from pathlib import Path

import test_hotplug
from soak_events import event, turn_to
from soak_journal import (ANSWERS_AGAIN, BUFFER_WORKS_AGAIN, CONSUMED, CRASH, HANGS, NO_SENSOR, POLLED, SENSOR_FOUND, START,
                          STOP)
from soak_tablet import neighbours
from test_sleep import slept
from waiting import wait_until

REBINDS = 5
NOTICED = 2                         # seconds after udev's last word; the daemon looks 0.1 s after it
UDEV_ROUNDS = 3                     # of 20 events for each device
AWAKE_AGAIN = 5                     # seconds in which an emulated sensor starts anew


def survey_is_told(soak, sensor_before):
    """Where the sensor in use is another one, the journal says which; that there is none, too."""
    sensor = soak.model.sensor
    if sensor != sensor_before:
        soak.journal.expect(SENSOR_FOUND if sensor else NO_SENSOR)


def plugging(act):
    def act_and_expect(soak):
        before = soak.model.sensor
        act(soak)
        survey_is_told(soak, before)
    act_and_expect.__name__ = act.__name__
    return act_and_expect


# Sensors.

@event(3, lambda soak: soak.model.hub_is_there)
@plugging
def hub_is_unplugged(soak):
    soak.tablet.unplug_hub()
    soak.model.plug(hub=False)


@event(6, lambda soak: not soak.model.hub_is_there)
@plugging
def hub_is_plugged_in(soak):
    soak.tablet.plug_hub()
    soak.model.plug(hub=True)


@event(3, lambda soak: soak.model.chip_is_there)
@plugging
def chip_is_unbound(soak):
    soak.tablet.unbind_chip()
    soak.model.plug(chip=False)


@event(6, lambda soak: not soak.model.chip_is_there)
@plugging
def chip_is_bound(soak):
    soak.tablet.bind_chip()
    test_hotplug.udevadm("settle", "--timeout=100")     # a hub that goes next finds it set up
    soak.model.plug(chip=True)


@event(2, lambda soak: soak.model.hub_is_there)
def hub_is_replugged_at_once(soak):
    lose_in_passing(soak, 1)
    soak.tablet.hub.unplug()
    soak.tablet.plug_hub()
    let_it_be_noticed()


@event(2, lambda soak: soak.model.chip_is_there)
def chip_is_rebound_again_and_again(soak):
    # Beside a hub in use it changes nothing.
    lose_in_passing(soak, 0 if soak.model.hub_is_there else REBINDS)
    for _ in range(REBINDS):
        soak.tablet.chip.unbind()
        soak.tablet.chip.bind()
    let_it_be_noticed()


def lose_in_passing(soak, times):
    soak.model.lose_in_passing(times)
    # Both for each: where there is another sensor, that one is found instead.
    soak.journal.allow(**{NO_SENSOR: times, SENSOR_FOUND: 2 * times})


def let_it_be_noticed():
    """Or not: nothing that would tell when need be announced."""
    test_hotplug.udevadm("settle", "--timeout=100")
    time.sleep(NOTICED)


# Sleep.

@event(1)
def machine_sleeps_as_logind_says(soak):
    before = slept()
    subprocess.run(["systemctl", "suspend"], check=True, timeout=30)
    wait_until(lambda: slept() - before > 1, 60, "sleep and awakening")
    wake_up(soak)


@event(1)
def machine_sleeps_unannounced(soak):
    Path("/sys/power/state").write_text("mem")
    wake_up(soak)


def wake_up(soak):
    """Held in another way than before, as if it had been turned meanwhile: at once, before the sensor has started."""
    # The hub's firmware is this process. It is frozen before the kernel is, whose driver waits for its answers, and emulation
    # makes it late afterwards: no hub that is hardware is silent for so long.
    soak.model.may_hang_asleep()
    soak.journal.allow(**{HANGS: 1, ANSWERS_AGAIN: 1, POLLED: 1})
    soak.journal.allow_until_restart(BUFFER_WORKS_AGAIN)
    turn_to(soak, soak.chance.choice(neighbours(soak.model.pose)))
    soak.quiet = AWAKE_AGAIN


# udev.

@event(1, lambda soak: soak.model.sensor)
def udev_talks(soak):
    with test_hotplug.light_rules():
        for count in range(UDEV_ROUNDS):
            # At last that they are there: of devices that udev has forgotten, none counts as set up while it is busy.
            test_hotplug.tell_udev(20, ("change", "remove", "add")[count % 3])
        test_hotplug.udevadm("settle", "--timeout=100")


# The daemon: seldom, as only what a process holds for long shows that it grows. Whoever asked does not know that the new one has not heard of it.

@event(0.1)
def daemon_is_restarted(soak):
    end_daemon(soak)
    soak.journal.expect(*STOP, *START)
    soak.service.stop()
    soak.service.start()
    daemon_started(soak)


@event(0.1)
def daemon_is_stopped_and_started_by_a_call(soak):
    end_daemon(soak)
    soak.journal.expect(*STOP, *START)
    soak.service.stop()
    soak.device.property("Orientation")
    daemon_started(soak)


@event(0.1)
def daemon_is_killed(soak):
    process = end_daemon(soak)
    soak.journal.expect(*CRASH, *START)
    soak.journal.allow(**{CONSUMED: 1})     # told of the failure, and again of the stop that the restart begins with
    os.kill(process, signal.SIGKILL)
    wait_until(lambda: soak.service.process not in (0, process), 20, "another daemon")
    wait_until(lambda: soak.service.show("ActiveState") == "active", 20, "start of the daemon")
    daemon_started(soak)


def end_daemon(soak):
    soak.note_processor_time()
    time.sleep(1)                   # what was kept is written
    return soak.service.process


def daemon_started(soak):
    soak.journal.daemon_starts()
    soak.journal.expect(SENSOR_FOUND if soak.model.sensor else NO_SENSOR)
    soak.model.restart()
    soak.observer.start_anew(soak.model)
