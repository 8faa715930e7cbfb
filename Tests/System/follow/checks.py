# SPDX-License-Identifier: Apache-2.0
"""What has to hold of `orientationctl follow`, each with a tablet and a desktop of its own."""
import os
import re
import signal
import statistics
import subprocess
import time

import arrow
import target
from case import POSES, STILL_SECONDS
from compositor import GONE, MONITOR, PANEL, Labwc, Phoc, PhocInWindow, Sway, TouchedLabwc, TouchedSway
from globals import Crowded, Globals, Mute, Nonsense, Silent, Unplugging
from processes import until


def turns_the_panel_in_all_poses(case):
    """At the start it waits for the device's orientation, and turns once."""
    case.open_desktop()
    case.follow(WAYLAND_DEBUG="1")
    case.see_turned("270", "at the start")
    case.expect(case.requests() == 1, f"one request at the start, not {case.requests()}")
    who = case.tablet.who_turns()
    case.expect(who == "turned by orientationctl follow", f"orientationctl status: {who}")
    for transform in "normal", "90", "180", "270", "normal", "180", "90", "270":
        case.turn(transform)
        case.see_arrow(f"arrow-{transform}")
    case.expect(case.requests() == 9, f"one request a turn, not {case.requests()}")
    case.tablet.hold(0, 0, 1)
    case.stays("270", "flat")
    case.end_following()
    until(lambda: case.tablet.sensor("Status") == "idle", "the sensor is at rest")


def points_to_the_edge_that_is_up(case):
    """On the glass of the panel, the arrow points to the edge of the tablet that is up."""
    case.open_desktop()
    case.follow()
    for transform, edge in ("270", "right"), ("normal", "up"), ("90", "left"), ("180", "down"):
        case.tablet.hold(*POSES[transform])
        until(lambda: case.compositor.panel().transform == transform, f"transform {transform}")
        file = (case.kept or case.processes.folder) / f"panel-{transform}.png"

        def points():
            case.compositor.photograph_panel(file)
            return arrow.look(file)[1] == edge

        until(points, f"transform {transform}: an arrow that points {edge}")
        case.say(f"transform {transform}: on the panel, the arrow points {edge}")


def is_touched_where_it_shows(case):
    """A finger and a pen on a pixel of the panel reach what is shown by this pixel."""
    case.open_desktop()
    case.follow()
    case.processes.start("target", target.__file__, case.compositor.panel_name, environment=case.compositor.environment | {
        "GDK_BACKEND": "wayland", "GSK_RENDERER": "cairo"})
    for transform in "270", "normal", "90", "180":
        case.turn(transform)
        file = (case.kept or case.processes.folder) / f"touched-{transform}.png"
        for name, pointer in case.compositor.glass.pointers.items():
            x, y = until(lambda: touched(case, name, pointer, file), f"transform {transform}: a {name} hits the square")
            case.say(f"transform {transform}: a {name} at {x:.2f} of the width and {y:.2f} of the height hits the square")


def touched(case, name, pointer, file):
    """Touch the glass where the panel shows the square; return the point, or None if its middle was not hit."""
    case.compositor.photograph_panel(file)
    if not (point := target.find(file)):
        return None
    before = len(case.processes.log("target"))
    pointer.touch(*point)
    time.sleep(0.3)
    touches = [line.split() for line in case.processes.log("target")[before:]]
    hit = [words[0] for words in touches] == [name] and all(abs(int(distance)) <= target.STEP for distance in touches[0][1:])
    return point if hit else None


def keeps_a_fractional_scale(case):
    """The neighbour is at the edge of a panel whose pixels are no whole points."""
    case.open_desktop(scale=1.5)
    case.follow()
    for transform in "270", "normal", "90", "180":
        case.turn(transform)
        case.expect(case.compositor.panel().scale == 1.5, "the scale is still 1.5")
        case.see_arrow(f"scaled-{transform}")


def follows_a_daemon_that_was_restarted(case):
    """Meanwhile the screen stays as it is."""
    case.open_desktop()
    case.follow()
    case.see_turned("270")
    case.turn("90")
    case.tablet.end_daemon()
    case.compositor.change(PANEL, "--transform", "normal")
    case.see_turned("90", "without a daemon, after it was reset")
    case.tablet.hold(*POSES["180"])
    case.tablet.start_daemon()
    case.see_turned("180", "from the new daemon")
    case.turn("normal")


def follows_a_daemon_that_was_frozen(case):
    """One that does not answer for a long time is asked again."""
    case.open_desktop()
    daemon = case.tablet.process_of("org.orientationd1")
    os.kill(daemon, signal.SIGSTOP)
    try:
        # How long libsystemd waits for an answer, in seconds.
        case.follow(SYSTEMD_BUS_TIMEOUT="1")
        until(lambda: any("orientationd does not answer; asking again" in line for line in case.processes.log(case.log)),
              "it says so")
    finally:
        os.kill(daemon, signal.SIGCONT)
    case.see_turned("270", "when the daemon goes on")
    case.turn("90")


def waits_for_the_daemon(case):
    """It may start before the daemon; and it ends with the bus."""
    case.open_desktop()
    case.tablet.end_daemon()
    case.follow()
    until(lambda: any("orientationd does not run on the system bus" in line for line in case.processes.log(case.log)),
          "it says that it waits")
    case.tablet.start_daemon()
    case.see_turned("270", "when the daemon runs")
    os.kill(case.tablet.process_of("org.freedesktop.DBus"), signal.SIGKILL)
    case.ended(case.follower, case.log, 1, "the connection to the system bus has ended")


def respects_the_lock_and_rotation_by_hand(case):
    """It applies what the daemon says, and not how the tablet is held."""
    case.open_desktop()
    case.follow()
    case.see_turned("270")
    case.tablet.orientationctl("lock")
    case.tablet.hold(*POSES["normal"])
    case.stays("270", "locked")
    case.tablet.orientationctl("rotate", "portraitUpsideDown")
    case.see_turned("180", "by hand")
    case.tablet.orientationctl("unlock")
    case.see_turned("normal", "unlocked")


def applies_again_what_was_reset(case):
    """A compositor that reads its configuration again resets the transform."""
    case.open_desktop()
    case.follow()
    case.turn("90")
    for _ in range(2):
        case.compositor.change(PANEL, "--transform", "normal")
        case.see_turned("90", "after it was reset")
    # The third time in five seconds is one too many; on a slow machine it comes later.
    end = time.monotonic() + 10
    while case.follower.poll() is None and time.monotonic() < end:
        case.compositor.change(PANEL, "--transform", "flipped-90")
    case.ended(case.follower, case.log, 69, "something else turns HEADLESS-1, too")


def agrees_with_a_second_one(case):
    """Two that follow the same daemon do not fight."""
    case.open_desktop()
    case.follow()
    second, _ = case.command("--output", PANEL)
    for transform in "270", "normal", "180", "90", "normal":
        case.turn(transform)
    case.expect(second.poll() is None, "the second one runs, too")


def gives_up_against_another_program(case):
    """Another program that always wants another transform wins, and nothing is applied without end."""
    case.open_desktop()
    case.follow(WAYLAND_DEBUG="1")
    case.turn("90")
    before = case.requests()
    end = time.monotonic() + 10
    while case.follower.poll() is None and time.monotonic() < end:
        case.compositor.change(PANEL, "--transform", "180")
    case.ended(case.follower, case.log, 69, "something else turns HEADLESS-1, too")
    case.expect(case.requests() - before < 5, f"few requests, not {case.requests() - before}")


def ends_with_the_compositor(case):
    """At once, and with an error, also if the compositor is killed."""
    for kill in signal.SIGTERM, signal.SIGKILL:
        case.open_desktop()
        case.follow()
        case.turn("90")
        case.turn("270")
        case.compositor.process.send_signal(kill)
        began = time.monotonic()
        case.ended(case.follower, case.log, 1, "the compositor has ended")
        case.expect(time.monotonic() - began < 1, "at once")
        until(lambda: case.tablet.sensor("Status") == "idle", "the sensor is at rest")
        case.compositor.process.wait()


def says_why_it_does_not_follow(case):
    """Each with its exit status: 69 if another attempt would not help."""
    case.refused(1, "cannot connect to a Wayland compositor", XDG_RUNTIME_DIR=str(case.processes.folder))
    case.open_desktop()
    case.refused(69, r"name it:\s+orientationctl follow --output NAME\s+outputs: HEADLESS-[12], HEADLESS-[12]")
    for desktop, name in ("GNOME", "GNOME"), ("ubuntu:GNOME", "GNOME"), ("KDE", "KDE Plasma"), ("Phosh:GNOME", "Phosh"):
        case.refused(69, f"{name} turns the screen itself", "--output", PANEL, XDG_CURRENT_DESKTOP=desktop)
    case.refused(64, "takes the name of an output", "--output", "")
    process, log = case.command("--output", "DSI-1")
    until(lambda: any("there is no output DSI-1; waiting for it (outputs:" in line for line in case.processes.log(log)),
          "it waits for the output")
    case.expect(process.poll() is None, "it waits")
    alone = case.processes.folder / "orientationctl"
    alone.write_bytes(case.tool.read_bytes())
    alone.chmod(0o755)
    result = case.run(alone, "follow")
    case.expect(result.returncode == 1 and "apt install orientationctl-follow" in result.stderr, f"not installed: {result}")


def says_what_a_compositor_does_not_offer(case):
    """KWin is known by what it offers, also if the session has no variable for its desktop."""
    for interfaces, words in [
            (["wl_compositor", "kde_output_management_v2", "wl_seat"], "KWin turns the screen itself"),
            (["wl_compositor", "wl_seat"], "does not offer zwlr_output_manager_v1")]:
        with Globals(case.processes.folder, *interfaces) as compositor:
            case.refused(69, words, **compositor.environment)


def outlives_events_of_what_is_unplugged(case):
    """Hyprland says what has become of the modes of an output after the output's end."""
    with Unplugging(case.processes.folder) as compositor:
        process, log = case.command("--output", "DSI-1", environment=compositor.environment)
        case.expect(compositor.unplugged.wait(10), "100 outputs were unplugged")
        time.sleep(0.5)
        case.expect(process.poll() is None, f"it runs: {process.poll()} {case.processes.log(log)}")
        process.terminate()
        case.expect(process.wait(5) == 0, "it ends well")


def ends_with_what_a_desktop_cannot_be(case):
    """What it is told is limited, and so is the time that it is kept waiting: it says why it ends, and can be started again."""
    for kind, words in [
            (lambda folder: Crowded(folder, "outputs"), "reports more outputs than there can be"),
            (lambda folder: Crowded(folder, "modes"), "reports more modes of an output than there can be"),
            (Nonsense, "does not keep to Wayland.s protocol"),
            (Mute, "the X server does not answer")]:
        with kind(case.processes.folder) as desktop:
            case.refused(1, words, **desktop.environment)


def says_that_a_compositor_does_not_answer(case):
    """It waits for one that hangs, and obeys meanwhile."""
    with Silent(case.processes.folder) as compositor:
        process, log = case.command(environment=compositor.environment)
        until(lambda: any("the desktop does not answer; waiting for it" in line for line in case.processes.log(log)), "it says so")
        process.terminate()
        case.expect(process.wait(5) == 0, "it ends well")


def runs_commands_on_changes(case):
    """When the panel has been turned, and not before; a command that fails or hangs does not keep it from turning."""
    case.open_desktop()
    lines = case.processes.folder / "lines"
    script = case.processes.folder / "hook"
    end = case.processes.folder / "end"
    script.write_text(
        f"echo $ORIENTATION_TABLET_MODE $ORIENTATION_TRANSFORM $ORIENTATION_INTERFACE "
        f"$(wlr-randr | sed -n '/^{PANEL}/,/Transform/s/ *Transform: //p') >>'{lines}'\n"
        "case $ORIENTATION_TRANSFORM in\n90) exit 3;;\n"
        f"180) while [ -e '{script}' ] && [ ! -e '{end}' ]; do sleep 0.1; done;;\nesac\n")

    def see(transform, interface):
        wanted = f"unknown {transform} {interface} {transform}"
        until(lambda: lines.exists() and lines.read_text().splitlines()[-1:] == [wanted], f"the line {wanted!r}")
        case.say(f"the command has seen: {wanted}")

    case.follower, case.log = case.command("--output", PANEL, "--on-transform", f"sh '{script}'")
    see("270", "landscapeRight")
    case.turn("90")
    see("90", "landscapeLeft")
    until(lambda: "exit status 3" in " ".join(case.processes.log(case.log)), "a message about the failure")
    case.turn("180")
    see("180", "portraitUpsideDown")
    for transform in "normal", "90", "270":
        case.turn(transform)
    case.expect(len(lines.read_text().splitlines()) == 3, "the command for 180 still runs")
    end.touch()
    see("270", "landscapeRight")
    count = len(lines.read_text().splitlines())
    case.expect(count == 4, f"4 runs, as of those meanwhile only the newest counts, not {count}")
    case.end_following()


def runs_commands_for_the_tablet_mode(case):
    """At the start, and when a convertible is folded; not when the daemon was restarted."""
    case.open_desktop()
    case.tablet.end_daemon()
    case.tablet.add_hinge()
    case.tablet.start_daemon()
    lines = case.processes.folder / "lines"
    case.follower, case.log = case.command(
        "--output", PANEL, "--on-tablet-mode", f"sh -c \"echo $ORIENTATION_TABLET_MODE >>'{lines}'\"")

    def see(*modes):
        until(lambda: lines.exists() and lines.read_text().split() == list(modes), f"the runs {modes}")
        case.say(f"the command runs in mode {modes[-1]}")

    see("laptop")
    case.tablet.fold(350)
    see("laptop", "tablet")
    case.tablet.fold(100)
    see("laptop", "tablet", "laptop")
    case.tablet.end_daemon()
    case.tablet.start_daemon()
    case.turn("90")
    case.tablet.fold(350)
    see("laptop", "tablet", "laptop", "tablet")
    case.end_following()


def needs_no_wayland_for_other_commands(case):
    """orientationctl itself is not linked with the libraries of desktops."""
    libraries = subprocess.run(["ldd", case.tool], capture_output=True, text=True, check=True).stdout
    case.expect("wayland" not in libraries, libraries)
    places = case.tool.parent, case.tool.parent.parent / "libexec"
    follower = next(place / "orientationctl-follow" for place in places if (place / "orientationctl-follow").exists())
    libraries = subprocess.run(["ldd", follower], capture_output=True, text=True, check=True).stdout
    case.expect("libwayland-client" in libraries and not any(name in libraries for name in ("libiio", "libX11", "libstdc++")),
                f"the program that follows is: {libraries}")


def does_not_wake_up_at_rest(case):
    """Neither does it while the tablet lies still."""
    case.open_desktop()
    case.follow()
    case.turn("90")
    time.sleep(2)
    before = switches(case.follower.pid)
    time.sleep(10)
    after = switches(case.follower.pid)
    case.expect(before == after, f"no switches to it in 10 s: {before} {after}")
    with open(f"/proc/{case.follower.pid}/smaps_rollup", encoding="ascii") as memory:
        kilobytes = {words[0]: words[1] for words in map(str.split, memory)}
    case.say(f"10 s without a wake-up; {kilobytes['Rss:']} kB are resident, {kilobytes['Pss:']} kB by proportional share, "
             f"{kilobytes['Private_Dirty:']} kB private and dirty")


def turns_at_once(case):
    """How long it takes from the signal, as another program receives it, to the compositor's answer is measured, not asserted."""
    case.open_desktop()
    case.follow(WAYLAND_DEBUG="1")
    case.turn("270")
    case.processes.start("signals", "dbus-monitor", "--address", case.tablet.address, "--profile",
                         "member='PropertiesChanged',arg0='org.orientationd1.Screen'", environment=case.tablet.environment)
    until(lambda: any("NameLost" in line for line in case.processes.log("signals")), "dbus-monitor")
    turns = ["normal", "90", "180", "270"] * 5
    for transform in turns:
        case.turn(transform)
    signals = [float(words[1]) * 1000 for words in map(str.split, case.processes.log("signals"))
               if words[-1] == "PropertiesChanged"]
    answers = re.findall(r"\[ *(\d+\.\d+)\].*\.succeeded\(\)", "\n".join(case.processes.log(case.log)))[-len(turns):]
    # libwayland writes the lower 32 bits of the microseconds.
    waits = [(float(answer) - signal) % (2**32 / 1000) for answer, signal in zip(answers, signals, strict=True)]
    case.say(f"{statistics.median(waits):.1f} ms from the signal until the screen has turned (median of {len(waits)})")


def switches(process):
    """How often the kernel has switched to a process."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return [line for line in status if "ctxt_switches" in line]


def leaves_what_is_off(case):
    """It does not switch on an output that the user has switched off, nor turns a panel that is off."""
    case.open_desktop()
    case.follow()
    case.see_turned("270")
    case.compositor.change(MONITOR, "--off")
    case.turn("normal")
    case.turn("90")
    case.expect(not case.compositor.outputs()[MONITOR].enabled, "the monitor is still off")
    case.compositor.change(PANEL, "--off")
    case.tablet.hold(*POSES["180"])
    time.sleep(STILL_SECONDS)
    case.expect(not case.compositor.panel().enabled, "the panel is still off")
    case.alive()


def turns_a_panel_that_is_on_again(case):
    """As after its lid was opened."""
    case.open_desktop()
    case.follow()
    case.turn("90")
    # Not by wlr-randr: wlroots 0.18 ends with an assertion if a client binds while an output without modes is off.
    case.compositor.message(f"output {PANEL} disable")
    case.tablet.hold(*POSES["180"])
    until(lambda: any(f"{PANEL} is off; waiting for it" in line for line in case.processes.log(case.log)), "it waits")
    time.sleep(STILL_SECONDS)
    case.compositor.message(f"output {PANEL} enable")
    case.see_turned("180", "when the panel is on again")


def outlives_what_is_unplugged(case):
    """Another output comes and goes, and then the panel itself; one that was waited for is turned."""
    case.open_desktop()
    case.follow()
    case.see_turned("270")
    waiting, _ = case.command("--output", "HEADLESS-3")
    time.sleep(1)
    case.compositor.message("create_output")
    until(lambda: case.compositor.outputs().get("HEADLESS-3", GONE).transform == "270"
          and len(case.compositor.outputs()) == 3, "a third output, turned by who has waited for it")
    waiting.terminate()
    case.say("HEADLESS-3 was plugged, and turned to 270")
    case.turn("normal")
    case.compositor.message("output HEADLESS-3 unplug")
    until(lambda: len(case.compositor.outputs()) == 2, "two outputs")
    case.turn("90")
    case.compositor.message(f"output {PANEL} unplug")
    until(lambda: PANEL not in case.compositor.outputs(), "no panel")
    case.tablet.hold(*POSES["180"])
    until(lambda: any(f"there is no output {PANEL}; waiting" in line for line in case.processes.log(case.log)), "it waits")
    case.alive()
    case.end_following()


def applies_again_after_a_reload(case):
    """Sway resets the transform when it reads its configuration again."""
    case.open_desktop()
    case.follow(WAYLAND_DEBUG="1")
    for transform in "90", "180":
        case.turn(transform)
        before = case.requests()
        case.compositor.message("reload")
        until(lambda: case.requests() > before, "it is applied again")
        case.see_turned(transform, "after the reload")


ANYWHERE = [
    turns_the_panel_in_all_poses, waits_for_the_daemon, follows_a_daemon_that_was_frozen, keeps_a_fractional_scale,
    follows_a_daemon_that_was_restarted,
    respects_the_lock_and_rotation_by_hand, applies_again_what_was_reset, agrees_with_a_second_one,
    gives_up_against_another_program, ends_with_the_compositor, does_not_wake_up_at_rest, turns_at_once,
]
CHECKS = {
    PhocInWindow: [points_to_the_edge_that_is_up],
    Phoc: [*ANYWHERE, says_why_it_does_not_follow, says_what_a_compositor_does_not_offer,
           outlives_events_of_what_is_unplugged, ends_with_what_a_desktop_cannot_be,
           says_that_a_compositor_does_not_answer, runs_commands_on_changes,
           runs_commands_for_the_tablet_mode, needs_no_wayland_for_other_commands],
    Sway: [*ANYWHERE, leaves_what_is_off, turns_a_panel_that_is_on_again, outlives_what_is_unplugged, applies_again_after_a_reload],
    Labwc: [*ANYWHERE, leaves_what_is_off],
    TouchedSway: [is_touched_where_it_shows],
    TouchedLabwc: [is_touched_where_it_shows],
}
