# SPDX-License-Identifier: Apache-2.0
"""The events on the machine in a soak: sensors come and go, it sleeps, it freezes, udev sends events, iio-sensor-proxy runs beside
the daemon, and the daemon is reconfigured, stopped and started."""
import contextlib
import os
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import test_hotplug
from orientationd_case import boot_time
from poses import ALL_SIX
from soak_configuration import WRONG_LINES, Configuration
from soak_events import event, turn_to
from soak_journal import (CONSUMED, CRASH, FROZEN_OR_THAWED, NO_SENSOR, RELOAD, SENSOR_FOUND, START, STOP, STOPPED, TAKEN_INTO_USE,
                          TAKES_RESTART, WRONG_LINE)
from soak_neighbour import has_buffer_open
from soak_observer import Wrong
from soak_tablet import neighbours
from systemd_service import systemctl, systemd_version
from test_sleep import slept
from waiting import wait_until

REBINDS = 5
SILENCE = 1                         # seconds; after 1.5 without a sample, a sensor is silent
NOTICED = 2                         # seconds after udev's last word; the daemon looks 0.1 s after it
UDEV_ROUNDS = 3                     # of 20 events for each device
AWAKE_AGAIN = 5                     # seconds in which an emulated sensor starts anew
TAKEN_BACK = 20                     # seconds; the daemon looks every five whether a buffer is free
FROZEN = (2, 10)                    # seconds
REPETITION = 31                     # seconds, and one more: of Clients.repetitionSeconds


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


# Sensors. Of iio-sensor-proxy's own troubles with a hub that goes nothing is to be learnt here.

def hub_may_go(soak):
    return soak.model.hub_is_there and not soak.neighbour.is_there


@event(3, hub_may_go)
@plugging
def hub_is_unplugged(soak):
    began = time.monotonic()
    soak.tablet.unplug_hub()
    # A kernel that takes so long to remove it has a sensor that says nothing meanwhile.
    if time.monotonic() - began > SILENCE:
        soak.model.statuses.add("silent")
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
    test_hotplug.udevadm("settle", f"--timeout={test_hotplug.SETTLED}")     # a hub that goes next finds it set up
    soak.model.plug(chip=True)


@event(2, hub_may_go)
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
    test_hotplug.udevadm("settle", f"--timeout={test_hotplug.SETTLED}")
    time.sleep(NOTICED)


# The keyboard, whose hub lies otherwise than the tablet and is never used.

@event(8, lambda soak: not soak.model.keyboard_is_there)
def keyboard_is_attached(soak):
    lay_keyboard(soak)
    soak.tablet.plug_keyboard()
    keyboard_came_or_went(soak, True)


@event(4, lambda soak: soak.model.keyboard_is_there)
def keyboard_is_detached(soak):
    soak.tablet.unplug_keyboard()
    keyboard_came_or_went(soak, False)


@event(6, lambda soak: soak.model.keyboard_is_there)
def keyboard_is_laid_otherwise(soak):
    lay_keyboard(soak)


def lay_keyboard(soak):
    soak.tablet.keyboard.hold(soak.chance.choice([pose for pose in ALL_SIX if pose != soak.model.pose]))


def keyboard_came_or_went(soak, is_there):
    let_it_be_noticed()
    soak.model.plug(keyboard=is_there)
    if soak.model.sensor is None:
        # Which sensors there are that are of no use.
        soak.journal.expect(NO_SENSOR)


# Sleep.

def may_sleep(soak):
    return not soak.neighbour.is_there


@event(1, may_sleep)
def machine_sleeps_as_logind_says(soak):
    before = slept()
    subprocess.run(["systemctl", "suspend"], check=True, timeout=30)
    wait_until(lambda: slept() - before > 1, 60, "sleep and awakening")
    wake_up(soak)


@event(1, may_sleep)
def machine_sleeps_unannounced(soak):
    Path("/sys/power/state").write_text("mem")
    wake_up(soak)


def wake_up(soak):
    """Held in another way than before, as if it had been turned meanwhile: at once, before the sensor has started."""
    turn_to(soak, soak.chance.choice(neighbours(soak.model.pose)))
    soak.quiet = AWAKE_AGAIN


# The daemon alone sleeps, and the tablet is turned meanwhile: only how it is held in the end is told.

@event(2)
def daemon_is_stopped_for_a_while(soak):
    process = soak.service.process
    with frozen_turns(soak):
        os.kill(process, signal.SIGSTOP)
    os.kill(process, signal.SIGCONT)
    return boot_time()


@event(1)
def daemon_is_frozen_for_a_while(soak):
    soak.journal.allow(**{FROZEN_OR_THAWED: 2})
    with frozen_turns(soak):
        systemctl("freeze", soak.service.unit)
    thawed_at = boot_time()
    systemctl("thaw", soak.service.unit)
    return thawed_at


@contextlib.contextmanager
def frozen_turns(soak):
    """Within it the daemon comes to a halt; at its end the tablet has been turned."""
    pose, turns, seconds = soak.model.pose, soak.chance.randint(2, 5), soak.chance.uniform(*FROZEN)
    yield
    end = time.monotonic() + seconds
    for _ in range(turns):
        pose = soak.chance.choice(neighbours(pose))
        soak.tablet.turn(pose, steps=soak.chance.choice((1, 4)))
        time.sleep(seconds / turns / 2)
    time.sleep(max(end - time.monotonic(), 0))
    soak.model.turn(pose)


# udev. Its false word of a device that goes would end iio-sensor-proxy.

@event(1, lambda soak: soak.model.sensor and not soak.neighbour.is_there)
def udev_talks(soak):
    with test_hotplug.light_rules():
        for count in range(UDEV_ROUNDS):
            # At last that they are there: of devices that udev has forgotten, none counts as set up while it is busy.
            test_hotplug.tell_udev(20, ("change", "remove", "add")[count % 3])
        test_hotplug.udevadm("settle", f"--timeout={test_hotplug.SETTLED}")


# iio-sensor-proxy beside the daemon: never where that serves its name. It takes the first accelerometer, so the chip has to go. Its
# word for how the tablet is held shows that it has begun; it has none for the faces.

@event(6, lambda soak: not soak.model.serves_proxy and soak.model.hub_is_there and not soak.neighbour.is_there
       and soak.model.pose.proxy_word)
def iio_sensor_proxy_comes(soak):
    if soak.model.chip_is_there:
        chip_is_unbound(soak)
    soak.neighbour.come(soak.model.pose)


@event(4, lambda soak: soak.neighbour.is_there)
def iio_sensor_proxy_goes(soak):
    soak.neighbour.go()
    if soak.model.is_tracking:
        hub = soak.tablet.wait_for_hub()
        wait_until(lambda: has_buffer_open(soak.service.process, hub), TAKEN_BACK, "the hub's buffer in the daemon's use again")


# Its configuration.

@event(2)
def reloaded_with_nothing_new(soak):
    soak.model.configuration.write()
    reload(soak)


@event(3)
def reloaded_with_another_configuration(soak):
    now = soak.model.configuration
    change = soak.chance.choice(({"sample_rate": 75 - now.sample_rate}, {"is_upside_down": not now.is_upside_down}))
    reconfigure(soak, replace(now, **change))


@event(2)
def reloaded_with_a_wrong_line(soak):
    soak.model.configuration.write(soak.chance.choice(WRONG_LINES))
    soak.journal.expect(WRONG_LINE)
    soak.journal.allow(**{WRONG_LINE: 1})       # and that what no line sets is kept
    reload(soak)
    soak.model.configuration.write()            # for the next start


def configuration_is_as_at_first(soak):
    reconfigure(soak, Configuration(sensor_proxy=soak.model.serves_proxy))


def reconfigure(soak, wanted):
    now = soak.model.configuration
    wanted.write()
    soak.journal.expect(TAKEN_INTO_USE)
    if wanted.is_upside_down != now.is_upside_down and soak.model.sensor:
        soak.journal.expect(SENSOR_FOUND)       # with another mount matrix
    reload(soak)
    soak.model.configure(wanted)


def reload(soak):
    process = soak.service.process
    soak.journal.expect(*RELOAD)
    soak.service.reload()
    if soak.service.process != process:
        raise Wrong("a reload ended the daemon")


@event(0.4, lambda soak: not soak.neighbour.is_there)
def sensor_proxy_is_switched(soak):
    """By the configuration: a reload says that it takes a restart."""
    now = soak.model.configuration
    replace(now, sensor_proxy=not now.sensor_proxy).write()
    soak.journal.expect(TAKES_RESTART)
    reload(soak)
    restart(soak, sensor_proxy=not now.sensor_proxy)


# The daemon: seldom, as only what a process holds for long shows that it grows. Whoever asked does not know of the new one, and need
# not.

@event(0.1)
def daemon_is_restarted(soak):
    restart(soak)


def restart(soak, sensor_proxy=None):
    end_daemon(soak)
    soak.journal.expect(*STOP, *START)
    soak.service.stop()
    soak.service.start()
    daemon_started(soak, sensor_proxy)


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
    if systemd_version() < 257:
        soak.journal.expect(STOPPED)        # a restart begins with a stop
    soak.journal.allow(**{CONSUMED: 1})     # told of the failure, and of that stop
    os.kill(process, signal.SIGKILL)
    wait_until(lambda: soak.service.process not in (0, process), 20, "another daemon")
    wait_until(lambda: soak.service.show("ActiveState") == "active", 20, "start of the daemon")
    daemon_started(soak)


def end_daemon(soak):
    soak.note_processor_time()
    time.sleep(1)                   # what was kept is written
    return soak.service.process


def daemon_started(soak, sensor_proxy=None):
    soak.journal.daemon_starts()
    soak.journal.expect(SENSOR_FOUND if soak.model.sensor else NO_SENSOR)
    soak.model.restart(sensor_proxy)
    # Who begins again until then is taken to repeat what was kept.
    time.sleep(REPETITION)
    soak.observer.start_anew(soak.model)
