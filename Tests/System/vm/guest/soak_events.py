# SPDX-License-Identifier: Apache-2.0
"""The events on a tablet and its daemon in a soak. Each event acts and updates the model; the soak checks afterwards.

An event takes all random numbers from the soak's generator, and depends only on the model: one seed gives one sequence of events.
"""
import time
from dataclasses import dataclass
from typing import Callable

from bus import CallFailed
from incumbent import CLAIM
from orientationd_case import BEGIN
from poses import FACE_DOWN, FACE_UP
from soak_observer import Wrong
from soak_tablet import neighbours

EVENTS = []


@dataclass(frozen=True)
class Event:
    name: str
    weight: float
    possible: Callable              # (soak) -> bool
    act: Callable                   # (soak) -> the moment of a turn, or None


def event(weight, possible=lambda soak: True):
    def add(act):
        EVENTS.append(Event(act.__name__.replace("_", " "), weight, possible, act))
        return act
    return add


def draw(soak):
    candidates = [each for each in EVENTS if each.possible(soak)]
    return soak.chance.choices(candidates, [each.weight for each in candidates])[0]


# The tablet.

@event(30)
def turn(soak):
    return turn_to(soak, soak.chance.choice(neighbours(soak.model.pose)))


@event(4, lambda soak: soak.model.pose not in (FACE_UP, FACE_DOWN))
def put_down_flat(soak):
    return turn_to(soak, soak.chance.choice((FACE_UP, FACE_DOWN)))


def turn_to(soak, pose):
    turned_at = soak.tablet.turn(pose, steps=soak.chance.choice((1, 4, 12)))
    soak.model.turn(pose)
    return turned_at


@event(12)
def move_about(soak):
    soak.tablet.move_about(soak.model.pose, steps=soak.chance.randint(3, 15))


@event(4)
def rest(soak):
    time.sleep(soak.chance.uniform(2, 12))


# Clients.

@event(10, lambda soak: soak.clients.have_room)
def client_comes_and_begins(soak):
    soak.clients.come()


@event(5, lambda soak: soak.clients.that_hear)
def client_begins_once_more(soak):
    soak.clients.begin(soak.chance.choice(soak.clients.that_hear))


def that_could_end(soak):
    return [name for name in soak.clients.that_hear if soak.model.begins(name)]


@event(7, that_could_end)
def client_ends(soak):
    soak.clients.end(soak.chance.choice(that_could_end(soak)))


@event(2, lambda soak: any(not soak.model.begins(name) for name in soak.clients.that_hear))
def client_ends_without_a_begin(soak):
    idle = [name for name in soak.clients.that_hear if not soak.model.begins(name)]
    answer = soak.clients.end_without_begin(soak.chance.choice(idle))
    if "NotGenerating" not in answer:
        raise Wrong(f"End without a Begin was answered with {answer!r}")


@event(3, lambda soak: soak.clients.that_hear)
def client_leaves(soak):
    soak.clients.leave(soak.chance.choice(soak.clients.that_hear))


@event(6, lambda soak: soak.clients.names)
def client_crashes(soak):
    soak.clients.crash(soak.chance.choice(soak.clients.names))


@event(3, lambda soak: soak.clients.that_hear)
def client_calls_and_never_reads(soak):
    call = soak.chance.choice((BEGIN, "MeasureOrientation"))
    soak.clients.flood(soak.chance.choice(soak.clients.that_hear), call)
    if call != BEGIN:
        soak.model.asked()


@event(6)
def somebody_asks_once(soak):
    wanted = soak.model.answer
    try:
        answer = soak.device.call("MeasureOrientation")[0]
    except CallFailed as refusal:
        if wanted is not None:
            raise Wrong(f"MeasureOrientation: {refusal}") from None
    else:
        if answer != wanted:
            raise Wrong(f"MeasureOrientation is {answer}, not {wanted}")
        soak.model.asked()


# Desktops, where SensorProxy=yes.

@event(12, lambda soak: soak.model.serves_proxy and soak.desktops.have_room)
def desktop_comes_and_claims(soak):
    claim(soak, soak.desktops.start())


@event(8, lambda soak: soak.model.serves_proxy and that_could_claim(soak))
def desktop_claims_again(soak):
    claim(soak, soak.chance.choice(that_could_claim(soak)))


def claim(soak, desktop):
    word = soak.desktops.claim(desktop)
    soak.observer.desktop_reads(soak.model.addresses[desktop], word)


def that_could_claim(soak):
    return [name for name in soak.desktops.that_hear if name not in soak.model.addresses]


def that_could_release(soak):
    return [name for name in soak.desktops.that_hear if name in soak.model.addresses]


@event(5, that_could_release)
def desktop_releases(soak):
    soak.desktops.release(soak.chance.choice(that_could_release(soak)))


@event(2, lambda soak: soak.desktops.that_hear)
def desktop_leaves(soak):
    soak.desktops.leave(soak.chance.choice(soak.desktops.that_hear))


@event(3, lambda soak: soak.desktops.names)
def desktop_crashes(soak):
    soak.desktops.crash(soak.chance.choice(soak.desktops.names))


@event(1, that_could_release)
def desktop_calls_and_never_reads(soak):
    soak.desktops.flood(soak.chance.choice(that_could_release(soak)), CLAIM)


# The screen.

@event(7, lambda soak: not soak.model.is_locked)
def rotation_is_locked(soak):
    soak.screen.call("SetRotationLock", "b", True)
    soak.model.lock()


@event(9, lambda soak: soak.model.is_locked)
def rotation_is_unlocked(soak):
    soak.screen.call("SetRotationLock", "b", False)
    soak.model.unlock()


@event(5)
def rotated_by_hand(soak):
    orientation = soak.chance.randint(1, 4)
    soak.screen.call("Rotate", "u", orientation)
    soak.model.rotate(orientation)


@event(3)
def rotation_to_the_device_attempted(soak):
    soak.screen.call("RotateToDevice")
    soak.model.attempt_rotation()
