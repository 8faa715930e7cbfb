# SPDX-License-Identifier: Apache-2.0
"""An app on the system bus: a separate process that keeps its connection, can be killed and can stop reading.

The tests' own connection (`bus.SYSTEM_BUS`) cannot do this.
"""
import contextlib
import functools
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys

FORK_CLIENTS = "--fork-clients"


class BusClient:
    """Starts on construction, without waiting for the process; use as a context manager, which ends it."""

    def __init__(self, remote, start=()):
        """`start`: a command that starts it, as somebody else."""
        ours, theirs = socket.socketpair()
        names = [remote.service, remote.path, remote.interface]
        with theirs:
            self._process = (subprocess.Popen([*start, sys.executable, __file__, *names], stdin=theirs, stdout=theirs) if start
                             else Fork(names, theirs))
        self._socket, self._answers = ours, ours.makefile()

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
        self._socket.shutdown(socket.SHUT_WR)
        self._process.wait()
        self._close()

    def kill(self):
        """SIGKILL: the app has no chance to say goodbye."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self):
        self._answers.close()
        self._socket.close()

    def _ask(self, command):
        """What follows the "ok"."""
        self._socket.sendall(f"{command}\n".encode())
        answer = self._answers.readline().strip()
        if answer.split(" ", 1)[0] != "ok":
            raise RuntimeError(f"{command}: {answer}")
        return answer.removeprefix("ok").strip()


class Fork:
    """A client that a process with all of GLib loaded has become by a fork: to load that takes an emulated processor most of a second."""

    def __init__(self, names, end):
        socket.send_fds(forking_process(), [json.dumps(names).encode()], [end.fileno()])
        _, files, *_ = socket.recv_fds(forking_process(), 64, 1)
        if not files:
            forking_process.cache_clear()
            raise RuntimeError("no client: the process that forks them has ended")
        self._file, = files
        self._is_over = False

    def send_signal(self, number):
        signal.pidfd_send_signal(self._file, number)

    def kill(self):
        if not self._is_over:
            with contextlib.suppress(ProcessLookupError):
                self.send_signal(signal.SIGKILL)

    def wait(self):
        if not self._is_over:
            select.select([self._file], [], [])
            os.close(self._file)
            self._is_over = True


@functools.cache
def forking_process():
    """The process that forks clients lives as long as this one."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen([sys.executable, __file__, FORK_CLIENTS, str(theirs.fileno())], pass_fds=[theirs.fileno()])
    return ours


def fork_clients(requests):
    for module in "Gio", "GLib":
        importlib.import_module(f"gi.repository.{module}")
    while True:
        names, ends, *_ = socket.recv_fds(requests, 4096, 1)
        if not names:
            return
        if child := os.fork():
            os.close(ends[0])
            # A file of it, not its number: that may be another one's when it has ended.
            file = os.pidfd_open(child)
            socket.send_fds(requests, [b"forked"], [file])
            os.close(file)
            with contextlib.suppress(ChildProcessError):
                while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG):
                    pass
            continue
        requests.close()
        for number in 0, 1:
            os.dup2(ends[0], number)
        os.close(ends[0])
        return main(*json.loads(names))


def main(service, path, interface):
    from gi.repository import Gio, GLib
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
    if sys.argv[1] == FORK_CLIENTS:
        fork_clients(socket.socket(fileno=int(sys.argv[2])))
    else:
        main(*sys.argv[1:])
