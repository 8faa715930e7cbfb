# SPDX-License-Identifier: Apache-2.0
"""Private buses with the policy of the system bus and of this project."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import xml.etree.ElementTree
from pathlib import Path

from users import SERVICE_USER

SYSTEM_CONFIGURATION = Path("/usr/share/dbus-1/system.conf")
DATA = Path(__file__).resolve().parents[3] / "data"
POLICIES = [DATA / "org.orientationd1.conf", DATA / "sensor-proxy/net.hadess.SensorProxy.conf"]
# What is the machine's own, and not the policy's.
REPLACED = {"fork", "pidfile", "listen", "user", "syslog", "includedir", "include", "servicehelper", "standard_system_servicedirs"}
# polkit, logind and a neighbour are played by root. Who else may send to them is as Debian's packages of the first two have it.
NEIGHBOURS = """<busconfig>
  <policy user="root">
    <allow own="org.freedesktop.PolicyKit1"/>
    <allow own="org.freedesktop.login1"/>
    <allow own="org.example.Neighbour"/>
  </policy>
  <policy context="default">
    <allow send_destination="org.freedesktop.PolicyKit1"/>
    <allow send_destination="org.freedesktop.login1" send_interface="org.freedesktop.login1.Manager" send_member="Inhibit"/>
    <allow send_destination="org.example.Neighbour"/>
  </policy>
</busconfig>
"""


def write_configuration(folder):
    """The system bus's configuration for a bus in a folder; its path."""
    tree = xml.etree.ElementTree.parse(SYSTEM_CONFIGURATION)
    root = tree.getroot()
    for element in list(root):
        if element.tag in REPLACED:
            root.remove(element)
    listen = xml.etree.ElementTree.SubElement(root, "listen")
    listen.text = f"unix:path={folder}/bus"
    policies = {policy.name: policy.read_text() for policy in POLICIES} | {"neighbours.conf": NEIGHBOURS}
    for name, text in policies.items():
        (folder / name).write_text(text.replace('user="orientationd"', f'user="{SERVICE_USER}"'))
        include = xml.etree.ElementTree.SubElement(root, "include")
        include.text = str(folder / name)
    tree.write(folder / "bus.conf")
    return folder / "bus.conf"


class Bus:
    """Either of Debian's two message buses, until it is ended."""

    KINDS = ("dbus-daemon", "dbus-broker")

    def __init__(self, kind, folder):
        self.kind = kind
        self.address = f"unix:path={folder}/bus"
        configuration = write_configuration(folder)
        self.log_path = folder / "bus.log"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, __file__, kind, str(folder / "bus"), str(configuration)], stdout=subprocess.PIPE,
                stderr=log, start_new_session=True)
        # The line says that it listens.
        if not self.process.stdout.readline():
            raise RuntimeError(f"{kind} does not start: {self.log_path.read_text(errors='replace')}")

    def processor_seconds(self):
        """What the bus itself has used, in user and in system mode."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, fields = re.fullmatch(r"\d+ \((.*)\) (.*)", stat.read_text().strip(), re.S).groups()
            except OSError:
                continue
            fields = fields.split()
            if name == self.kind and int(fields[3]) == self.process.pid:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdout.close()


# What follows runs in the process that `Bus` starts.

def run_until_ended(command, **more):
    child = subprocess.Popen(command, **more)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    child.wait()


def listening_socket(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o666)
    listener.listen(socket.SOMAXCONN)
    return listener


def run_daemon(configuration):
    run_until_ended(
        ["dbus-daemon", "--nofork", "--nopidfile", "--nosyslog", f"--config-file={configuration}", "--print-address"])


def give_journal():
    """dbus-broker does not start without a journal: where there is none, it sees one of our own, and nobody else does."""
    if os.path.exists("/run/systemd/journal/socket"):
        return
    if not os.environ.get("HAS_OWN_MOUNTS"):
        os.environ["HAS_OWN_MOUNTS"] = "yes"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    os.makedirs("/run/systemd", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "journal", "/run/systemd"], check=True)
    os.mkdir("/run/systemd/journal")
    journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    journal.bind("/run/systemd/journal/socket")
    threading.Thread(target=copy_journal, args=(journal,), daemon=True).start()


def copy_journal(journal):
    while True:
        found = re.search(rb"^MESSAGE=(.*)$", journal.recv(1 << 18), re.M)
        if found:
            os.write(2, found[1] + b"\n")


def run_broker(path, configuration):
    give_journal()
    listener = listening_socket(path)
    address = f"unix:path={path}"
    # The service manager hands the socket over as descriptor 3, and says to whom: the process that this one becomes.
    command = 'exec 3<&"$1"; LISTEN_FDS=1 LISTEN_PID=$$ exec dbus-broker-launch --scope system --config-file "$2"'
    print(address, flush=True)
    run_until_ended(
        ["sh", "-c", command, "sh", str(listener.fileno()), configuration], pass_fds=[listener.fileno()],
        env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address})


if __name__ == "__main__":
    if sys.argv[1] == "dbus-daemon":
        run_daemon(sys.argv[3])
    else:
        run_broker(sys.argv[2], sys.argv[3])
