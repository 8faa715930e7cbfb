# SPDX-License-Identifier: Apache-2.0
"""An app on the system bus: a separate process that keeps its connection, can be killed and can stop reading.

busctl cannot do this: each of its calls has a new connection, which ends with the call.
"""
import json
import signal
import subprocess
import sys


class BusClient:
    """Starts on construction, without waiting for the process; use as a context manager, which ends it."""

    def __init__(self, remote, start=()):
        """`start`: a command that starts it, as somebody else."""
        self._process = subprocess.Popen(
            [*start, sys.executable, __file__, remote.service, remote.path, remote.interface],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def unique_name(self):
        """What the bus calls it."""
        return self._ask("/name")

    def call(self, method):
        """Call a method without arguments and wait for its answer. Raises RuntimeError with the error."""
        self._ask(method)

    def property(self, name):
        """As this client is told it: some are only for those who have claimed a sensor."""
        return json.loads(self._ask(f"/property {name}"))

    def listen(self):
        """Have the bus send it every signal of the service from now on."""
        self.call("/listen")

    def flood(self, method, count):
        """Send so many calls without waiting for an answer."""
        self.call(f"/flood {method} {count}")

    def freeze(self):
        """It reads nothing any more. It can still be killed."""
        self._process.send_signal(signal.SIGSTOP)

    def leave(self):
        """The app ends by itself."""
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def kill(self):
        """SIGKILL: the app has no chance to say goodbye."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()

    def _ask(self, command):
        """What follows the "ok"."""
        print(command, file=self._process.stdin)
        answer = self._process.stdout.readline().strip()
        if answer.split(" ", 1)[0] != "ok":
            raise RuntimeError(f"{command}: {answer}")
        return answer.removeprefix("ok").strip()


def main(service, path, interface):
    from gi.repository import Gio, GLib     # slow to load; the tests' own process does without
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)

    def listen():
        bus.signal_subscribe(service, None, None, None, None, Gio.DBusSignalFlags.NONE, lambda *_: None)

    def flood(method, count):
        for _ in range(int(count)):
            bus.call(service, path, interface, method, None, None, Gio.DBusCallFlags.NONE, -1, None, None)
        bus.flush_sync()

    def call(method):
        bus.call_sync(service, path, interface, method, None, None, Gio.DBusCallFlags.NONE, 20_000, None)

    def value(name):
        arguments = GLib.Variant("(ss)", (interface, name))
        return bus.call_sync(service, path, "org.freedesktop.DBus.Properties", "Get", arguments, None, Gio.DBusCallFlags.NONE,
                             20_000, None).unpack()[0]

    for line in sys.stdin:
        answer = "ok"
        try:
            match line.split():
                case ["/name"]:
                    answer += f" {bus.get_unique_name()}"
                case ["/property", name]:
                    answer += f" {json.dumps(value(name))}"
                case ["/listen"]:
                    listen()
                case ["/flood", method, count]:
                    flood(method, count)
                case [method]:
                    call(method)
            print(answer, flush=True)
        except GLib.Error as error:
            print(error.message, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
