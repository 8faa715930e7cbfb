# SPDX-License-Identifier: Apache-2.0
"""confined_probe.py FILE...: reports what a program can do in place of the daemon. Its unit starts it, and it writes the results to
the state directory: for each attempt the name of its error, or "done" if it succeeds."""
import ctypes
import errno
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path


def outcome(attempt):
    try:
        attempt()
        return "done"
    except OSError as error:
        return errno.errorcode[error.errno]


def reads(path):
    return lambda: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def writes(path):
    return lambda: os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))


def creates(path):
    return lambda: os.close(os.open(path, os.O_WRONLY | os.O_CREAT))


def system_call(name, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)

    def attempt():
        if getattr(libc, name)(*arguments) < 0:
            raise OSError(ctypes.get_errno(), name)
    return attempt


def listens():
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0confined-probe")
        server.listen()


ATTEMPTS = {
    "open a socket of the Internet": lambda: socket.socket(socket.AF_INET).close(),
    "open a socket for packets": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
    "listen": listens,
    "signal another process": lambda: os.kill(os.getppid(), signal.SIGCONT),
    "change a file's mode": lambda: os.chmod(os.environ["STATE_DIRECTORY"], 0o777),
    "mount": system_call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "unshare": system_call("unshare", 0x10000000),
    "trace": system_call("ptrace", 0, 0, 0, 0),
    "become root": lambda: os.setuid(0),
    "create a file in /etc": creates("/etc/confined-probe"),
    "create a file in /var/lib": creates("/var/lib/confined-probe"),
    "create a file in its state directory": creates(os.environ["STATE_DIRECTORY"] + "/probe"),
    "read /root": lambda: os.listdir("/root"),
    "read /dev/mem": reads("/dev/mem"),
    "read the first disk": reads("/dev/vda"),
    "write /dev/uinput": writes("/dev/uinput"),
    "write /sys/power/state": writes("/sys/power/state"),
    "write /sys/devices/system/cpu/cpu1/online": writes("/sys/devices/system/cpu/cpu1/online"),
    "read /proc/sys/kernel/random/boot_id": reads("/proc/sys/kernel/random/boot_id"),
    "read /proc/1/status": reads("/proc/1/status"),
}


def tell_systemd():
    address = os.environ["NOTIFY_SOCKET"]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.sendto(b"READY=1", address.replace("@", "\0", 1) if address.startswith("@") else address)


def writable_folders(top):
    """What is directly below it, and what is mounted somewhere below it, that is not read-only."""
    mounted = {line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()}
    folders = {str(file) for file in Path(top).iterdir()} | {point for point in mounted if point.startswith(top + "/")}
    return sorted(folder for folder in folders if not os.statvfs(folder).f_flag & os.ST_RDONLY)


def main(files):
    found = {what: outcome(attempt) for what, attempt in ATTEMPTS.items()}
    found |= {f"read {file}": outcome(reads(file)) for file in files}
    found |= {f"write {file}": outcome(writes(file)) for file in files}
    found["writable below /sys"] = writable_folders("/sys")
    Path(os.environ["STATE_DIRECTORY"], "findings").write_text(json.dumps(found))
    tell_systemd()
    time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1:])
