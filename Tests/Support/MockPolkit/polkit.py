# SPDX-License-Identifier: Apache-2.0
"""polkit with answers set by the test: a template for python-dbusmock.

dbusmock's own polkit template has no challenges and no missing answers, and does not report the requests.
"""

import dbus
from dbusmock import MOCK_IFACE

BUS_NAME = "org.freedesktop.PolicyKit1"
MAIN_OBJ = "/org/freedesktop/PolicyKit1/Authority"
MAIN_IFACE = "org.freedesktop.PolicyKit1.Authority"
SYSTEM_BUS = True


def load(mock, _parameters):
    mock.behaviour = "hang"
    mock.questions = []
    mock.cancelled = []
    mock.hanging = []


def result(authorized, challenge):
    details = dbus.Dictionary({"polkit.retains_authorization_after_challenge": "1"}, signature="ss")
    return dbus.Struct((authorized, challenge, details), signature="bba{ss}")


ANSWERS = {
    "allow": result(True, False),
    "deny": result(False, False),
    "challenge": result(False, True),
    "malformed: a string": "yes",
    "malformed: a boolean": True,
    "malformed: without details": dbus.Struct((True, False), signature="bb"),
    "malformed: numbers": dbus.Struct((1, 0, dbus.Dictionary({}, signature="ss")), signature="iia{ss}"),
    "malformed: too much": (result(True, False), "more"),
    "malformed: nothing": (),
}


# No out_signature: the answer's is that of the answer, right or wrong.
@dbus.service.method(MAIN_IFACE, in_signature="(sa{sv})sa{ss}us", async_callbacks=("reply", "fail"))
def CheckAuthorization(self, subject, action, details, flags, cancellation, reply, fail):
    kind, fields = subject
    name = fields["name"] if kind == "system-bus-name" else f"{fields['pid']}:{fields['start-time']}:{fields['uid']}"
    self.questions.append(f"{kind} {name} {action} {len(details)} {flags} {cancellation}")
    if self.behaviour == "hang":
        self.hanging.append(reply)
    elif self.behaviour.startswith("error "):
        fail(dbus.exceptions.DBusException("no", name=self.behaviour.split()[1]))
    else:
        answer = ANSWERS[self.behaviour]
        # A plain tuple is several values.
        if type(answer) is tuple:
            reply(*answer)
        else:
            reply(answer)


@dbus.service.method(MAIN_IFACE, in_signature="s")
def CancelCheckAuthorization(self, cancellation):
    self.cancelled.append(cancellation)


@dbus.service.method(MOCK_IFACE, in_signature="s")
def Behave(self, behaviour):
    self.behaviour = behaviour


@dbus.service.method(MOCK_IFACE)
def AllowLastFirst(self):
    """Answers yes to every question that hangs, the last one first."""
    for reply in reversed(self.hanging):
        reply(ANSWERS["allow"])
    self.hanging = []


@dbus.service.method(MOCK_IFACE)
def Change(self):
    """Signals that answers may be others now, as when another session comes to the screen."""
    self.EmitSignal(MAIN_IFACE, "Changed", "", [])


@dbus.service.method(MOCK_IFACE, out_signature="as")
def Questions(self):
    """What was asked: kind and name of the subject, action, number of details, flags, cancellation id."""
    return dbus.Array(self.questions, signature="s")


@dbus.service.method(MOCK_IFACE, out_signature="as")
def Cancelled(self):
    return dbus.Array(self.cancelled, signature="s")
