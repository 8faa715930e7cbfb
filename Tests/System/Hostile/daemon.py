# SPDX-License-Identifier: Apache-2.0
"""The daemon under attack, run as its unit runs it in the relevant points: user, limits and environment."""

import errno
import os
import pwd
import resource
import shutil
import signal
import socket
import subprocess

import users

# What systemd gives a service by default.
DESCRIPTORS = 1024
# LimitDATA=
DATA = 256 << 20
TUNABLES = "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"


# As systemd passes orientationd-motion.socket (sd_listen_fds(3)): the process id stays the same.
PASSED = 3
PASS_SOCKET = 'LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=orientationd-motion exec "$@"'
# Backlog=
BACKLOG = 256
PASS_RIGHTS = 83    # SO_PASSRIGHTS


def listening_socket(path):
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o666)
    listener.listen(BACKLOG)
    return listener


def take_place(listener):
    if listener.fileno() == PASSED:
        listener.set_inheritable(True)
    else:
        os.dup2(listener.fileno(), PASSED)
    resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    resource.setrlimit(resource.RLIMIT_DATA, (DATA, DATA))
    users.become(pwd.getpwnam(users.SERVICE_USER).pw_uid)


class Daemon:
    def __init__(self, program, address, folder, sensor="simulated", settings=()):
        # A copy, as its user may not be able to read what was built.
        copy, state, configuration = folder / "orientationd", folder / "state", folder / "orientationd.conf"
        if not copy.exists():
            shutil.copy(program, copy)
            state.mkdir()
            shutil.chown(state, users.SERVICE_USER)
        configuration.write_text("\n".join(["[Orientation]", *settings, ""]))
        self.log_path = folder / "daemon.log"
        self.motion = folder / "motion"
        command = [copy, "--sensor", sensor, "--config", configuration, "--state", state]
        self.listener = listener = listening_socket(self.motion)
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", PASS_SOCKET, "sh", *command], stderr=log, stdin=subprocess.DEVNULL, pass_fds=[PASSED],
                env={"DBUS_SYSTEM_BUS_ADDRESS": address, "GLIBC_TUNABLES": TUNABLES}, preexec_fn=lambda: take_place(listener))
        self.pid = self.process.pid

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def log(self):
        return self.log_path.read_text(errors="replace").splitlines()

    def status(self, field):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))

    def memory(self):
        """Resident memory, in kB."""
        return self.status("VmRSS")

    def peak(self):
        """The most that it was since `forget_peak`, in kB."""
        return self.status("VmHWM")

    def forget_peak(self):
        with open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def let_descriptors_pass(self):
        """As before Linux 6.16, whose kernel the daemon cannot make refuse descriptors that are sent to it."""
        try:
            self.listener.setsockopt(socket.SOL_SOCKET, PASS_RIGHTS, 1)
        except OSError as error:
            if error.errno != errno.ENOPROTOOPT:
                raise

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def processor_seconds(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        """Ends it as the service manager does; its exit code."""
        self.listener.close()
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
