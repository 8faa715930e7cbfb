# SPDX-License-Identifier: Apache-2.0
"""The daemon's interfaces, as calls."""

from message import CALL, Message

NAME, PATH = "org.orientationd1", "/org/orientationd1"
DEVICE, SCREEN, SENSOR = (f"org.orientationd1.{name}" for name in ("Device", "Screen", "Sensor"))
PROXY, PROXY_PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
PROPERTIES = "org.freedesktop.DBus.Properties"
BEGIN, END = (f"{word}GeneratingDeviceOrientationNotifications" for word in ("Begin", "End"))
LIMITS_EXCEEDED = "org.freedesktop.DBus.Error.LimitsExceeded"


def device(member, **more):
    return Message(CALL, **{"path": PATH, "interface": DEVICE, "member": member, "destination": NAME} | more)


def measure_gravity(**more):
    return device("MeasureGravity", **{"interface": SENSOR} | more)


def set_mount_matrix(matrix, **more):
    return Message(CALL, PATH, SENSOR, "SetMountMatrix", destination=NAME, signature="s", body=(matrix,), **more)


def preview_mount_matrix(matrix, seconds, **more):
    return Message(CALL, PATH, SENSOR, "PreviewMountMatrix", destination=NAME, signature="su", body=(matrix, seconds), **more)


def set_lock(locked, **more):
    return Message(CALL, PATH, SCREEN, "SetRotationLock", destination=NAME, signature="b", body=(locked,), **more)


def hold(*orientations, application="org.example.App", reason="a test", **more):
    return Message(CALL, PATH, SCREEN, "HoldInterfaceOrientations", destination=NAME, signature="asssa{sv}",
                   body=(orientations, application, reason, ()), **more)


def proxy(member, **more):
    return Message(CALL, PROXY_PATH, PROXY, member, destination=PROXY, **more)


def get(interface, name, path=PATH, destination=NAME):
    return Message(CALL, path, PROPERTIES, "Get", destination=destination, signature="ss", body=(interface, name))


def get_all(interface):
    return Message(CALL, PATH, PROPERTIES, "GetAll", destination=NAME, signature="s", body=(interface,))


def sensor_status(connection, timeout=25):
    return connection.ask(get(SENSOR, "Status"), timeout)[0][1]
