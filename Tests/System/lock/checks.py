# SPDX-License-Identifier: Apache-2.0
"""What must be so of the two rotation locks."""
import signal
import subprocess
import threading
import time

from dbus.lowlevel import SignalMessage

from processes import until
from tablet import OURS, OUR_PATH, PROXY

TOGGLES = 100
REST_SECONDS = 10
SCHEMA = """<schemalist><schema id="org.gnome.settings-daemon.peripherals.touchscreen"{path}>
  <key name="{key}" type="{type}"><default>{default}</default></key>
</schema></schemalist>
"""
PATH = ' path="/org/gnome/settings-daemon/peripherals/touchscreen/"'


def each_follows_the_other(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    for locked in True, False, True:
        locks.set_desktop(locked)
        locks.become(locked, "tapped in quick settings")
        locks.set_daemon(not locked)
        locks.become(not locked, "set in orientationd")


def the_desktops_counts_at_login(locks):
    locks.tablet.start_daemon()
    locks.set_daemon(True)
    locks.start()
    locks.become(False, "orientationd was locked by somebody before")
    locks.agent.kill()
    locks.ends(-signal.SIGKILL)
    locks.set_desktop(True)
    locks.stay(True, False, "nobody keeps them equal")
    locks.start()
    locks.become(True, "the person's lock was on")


def orientationd_may_come_and_go(locks):
    locks.set_desktop(True)
    locks.start()
    time.sleep(1)
    locks.tablet.start_daemon()
    locks.become(True, "orientationd has come later")
    locks.tablet.end_daemon()
    locks.set_desktop(False)
    locks.tablet.start_daemon()
    locks.become(False, "unlocked in quick settings while it was gone")
    locks.set_daemon(True)
    locks.become(True, "set in orientationd")
    locks.expect(locks.log() == [], f"nothing to say, {locks.log()}")


def what_polkit_refuses_is_left(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    for behaviour in "deny", "challenge":
        locks.polkit(behaviour)
        locks.set_desktop(True)
        locks.stay(True, False, f"polkit: {behaviour}")
        locks.set_desktop(False)
        locks.stay(False, False, "unlocked in quick settings")
    said = locks.log()
    locks.expect(len(said) == 1 and said[0].endswith("lock was not set: org.freedesktop.DBus.Error.AccessDenied"), f"one line, {said}")
    locks.polkit("allow")
    locks.set_desktop(True)
    locks.become(True, "polkit: allow")


def a_setting_that_is_locked_down_is_left(locks):
    folder = locks.processes.folder
    source = folder / "mandatory"
    (source / "locks").mkdir(parents=True)
    (source / "lock").write_text("[org/gnome/settings-daemon/peripherals/touchscreen]\norientation-lock=false\n")
    (source / "locks" / "lock").write_text("/org/gnome/settings-daemon/peripherals/touchscreen/orientation-lock\n")
    subprocess.run(["dconf", "compile", folder / "mandatory.db", source], check=True)
    (folder / "profile").write_text(f"user-db:user\nfile-db:{folder}/mandatory.db\n")
    locks.environment["DCONF_PROFILE"] = str(folder / "profile")
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    for _ in range(2):
        locks.set_daemon(True)
        locks.stay(False, True, "locked in orientationd")
        locks.set_daemon(False)
        locks.stay(False, False, "unlocked in orientationd")
    locks.expect(locks.log() == ["orientationctl-desktop-lock: the desktop's rotation lock may not be set"], f"{locks.log()}")


def without_the_setting_it_ends_in_silence(locks):
    data = locks.processes.folder / "data"
    schemas = data / "glib-2.0" / "schemas"
    schemas.mkdir(parents=True)
    cases = {"no schema at all": None, "no such key": SCHEMA.format(path=PATH, key="other", type="b", default="false"),
             "of another type": SCHEMA.format(path=PATH, key="orientation-lock", type="s", default="''"),
             "without a path": SCHEMA.format(path="", key="orientation-lock", type="b", default="false")}
    for name, schema in cases.items():
        if schema:
            (schemas / "test.gschema.xml").write_text(schema)
            subprocess.run(["glib-compile-schemas", schemas], check=True)
        locks.start(XDG_DATA_DIRS=str(data), GSETTINGS_SCHEMA_DIR=str(schemas))
        locks.ends(0)
        locks.expect(locks.log() == [], f"{name}: silence, {locks.log()}")
        print(f"    {name}: it ends")


def in_other_desktops_it_ends_in_silence(locks):
    locks.tablet.start_daemon()
    for desktop in "KDE", "", "sway", "GNOMELESS:X-GNOME", "GNOME-Greeter:GNOME":
        locks.start(XDG_CURRENT_DESKTOP=desktop)
        locks.ends(0)
        locks.expect(locks.log() == [], f"{desktop}: silence, {locks.log()}")


def beside_iio_sensor_proxy_nothing_is_done(locks):
    """Its own lock is then the only one that counts for the desktop, and the key toggles both."""
    locks.tablet.bus.request_name(PROXY)
    locks.processes.start("by-hand", locks.processes.folder / "orientationd", environment=locks.environment)
    until(lambda: locks.tablet.bus.name_has_owner(OURS), "orientationd")
    locks.start()
    locks.set_daemon(True)
    locks.stay(False, True, "locked in orientationd")
    locks.tablet.bus.release_name(PROXY)
    locks.become(False, "iio-sensor-proxy is gone, orientationd serves the desktop")


def without_a_bus_it_ends_to_be_started_again(locks):
    locks.start(DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nonexistent")
    locks.ends(1)
    locks.expect(locks.log() == ["orientationctl-desktop-lock: there is no system bus"], f"{locks.log()}")
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    locks.end_bus(locks.tablet.bus)
    locks.ends(1)
    locks.expect(locks.log() == ["orientationctl-desktop-lock: the system bus is gone"], f"{locks.log()}")


def with_the_session_it_ends(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    locks.end_bus(locks.session)
    locks.ends(-signal.SIGTERM)


def signals_of_others_are_not_believed(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    message = SignalMessage(OUR_PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged")
    message.append(f"{OURS}.Screen", {"RotationLocked": True}, [], signature="sa{sv}as")
    message.set_destination(locks.bus_name())
    locks.tablet.bus.send_message(message)
    locks.tablet.bus.flush()
    locks.stay(False, False, "somebody else says that it is locked")


def toggled_quickly_on_both_sides_they_end_equal(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")

    def tap():
        for number in range(TOGGLES):
            locks.set_desktop(number % 2 == 0)

    tapping = threading.Thread(target=tap)
    tapping.start()
    toggles = 0
    while tapping.is_alive() or toggles < TOGGLES:
        locks.toggle_daemon()
        toggles += 1
        time.sleep(0.05)            # orientationd accepts 20 changes a second of a client
    tapping.join()

    def equal_for_a_second():
        """They may be equal by chance, while the last of the calls is still on its way."""
        end = time.monotonic() + 1
        while locks.desktop() == locks.daemon():
            if time.monotonic() > end:
                return True
        return False

    until(equal_for_a_second, "equal")
    locks.stay(locks.desktop(), locks.desktop(), f"after {TOGGLES} taps and {toggles} toggles at the same time")
    # And each of them still follows.
    locks.set_desktop(not locks.daemon())
    locks.become(locks.desktop(), "tapped once more")


def at_rest_it_does_not_wake_up(locks):
    locks.tablet.start_daemon()
    locks.start()
    locks.become(False, "at the start")
    locks.set_daemon(True)
    locks.become(True, "set in orientationd")
    time.sleep(2)
    before = locks.wakeups()
    time.sleep(REST_SECONDS)
    woken = locks.wakeups() - before
    share, dirty = locks.memory()
    print(f"    {woken} wake-ups in {REST_SECONDS} s; {share} kB by proportional share, {dirty} of them private and dirty")
    locks.expect(woken == 0, f"no wake-ups at rest, {woken}")


CHECKS = [each_follows_the_other, the_desktops_counts_at_login, orientationd_may_come_and_go, what_polkit_refuses_is_left,
          a_setting_that_is_locked_down_is_left, without_the_setting_it_ends_in_silence, in_other_desktops_it_ends_in_silence,
          beside_iio_sensor_proxy_nothing_is_done, without_a_bus_it_ends_to_be_started_again, with_the_session_it_ends,
          signals_of_others_are_not_believed, toggled_quickly_on_both_sides_they_end_equal, at_rest_it_does_not_wake_up]
