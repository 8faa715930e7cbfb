# SPDX-License-Identifier: Apache-2.0
"""One run of the guest under QEMU, from power-on to power-off."""
import os
import queue
import subprocess
import threading
import time

# KVM is not used even where it exists: inside many build machines it is there and hangs.
MACHINE = ["-accel", "tcg,thread=multi", "-m", "512",
           "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]
# For each architecture: QEMU, a processor, and the console. Nehalem is the oldest model that Debian's programs run on, and Cortex-A57 one
# of the first; newer instructions cost emulation.
ARCHITECTURES = {"amd64": (["qemu-system-x86_64", "-cpu", "Nehalem"], "ttyS0"),
                 "arm64": (["qemu-system-aarch64", "-machine", "virt,gic-version=3", "-cpu", "cortex-a57"], "ttyAMA0")}
# A portrait panel and, where a test switches it on, a monitor. The guest loads the driver only in the tests of an X server.
GRAPHICS_CARD = ["-device", "virtio-gpu-pci,max_outputs=2,xres=800,yres=1280"]
# The kernel's own messages on the emulated serial line would cost seconds; the journal's warnings are
# what a hung guest is understood by. What protects from faults of real processors costs an emulated one a third of its time.
# After a suspend, virtio_gpu answers no more, and would hang who switches consoles: they stay off its screen.
KERNEL_COMMAND_LINE = ("quiet mitigations=off systemd.show_status=no drm_kms_helper.fbdev_emulation=0 "
                       "systemd.journald.forward_to_console=1 systemd.journald.max_level_console=notice")
MOST_PROCESSORS = 3
LONGEST_SILENCE = 400               # seconds without a line of output; a quiet machine needs 30 to boot
CONSOLE_LINES_SHOWN = 25


class GuestFailed(Exception):
    """It did not come to the end of its tests. The text shows what it said last."""


class VirtualMachine:
    def __init__(self, image, input_disk, logs, system_bus=None):
        """`system_bus`: dbus-broker, in place of dbus-daemon."""
        self._system_bus = system_bus
        self._image = image
        self._input_disk = input_disk
        self._logs = logs

    def run(self, take_line, timeout):
        """Boot, give every line of output to take_line; the exit code of the guest's tests."""
        # However this process ends, the guest ends with it.
        guest = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *self._command()],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=open(self._logs / "qemu.log", "w"), text=True, errors="replace")
        try:
            self._relay(guest.stdout, take_line, time.monotonic() + timeout)
            guest.wait(30)
        except subprocess.TimeoutExpired:
            pass                    # the tests are over; only the power-off hangs
        finally:
            guest.kill()
            guest.wait()
        return self._exit_code()

    def _command(self):
        processors = min(MOST_PROCESSORS, os.cpu_count() or 1)
        emulator, console = ARCHITECTURES[self._image.architecture]
        return [*emulator, *MACHINE, "-smp", str(processors),
                "-kernel", self._image.kernel, "-initrd", self._image.initramfs,
                "-append", f"console={console} {KERNEL_COMMAND_LINE}" + (f" system_bus={self._system_bus}" if self._system_bus else ""),
                *self._disk(self._image.root, "snapshot=on"), *self._disk(self._input_disk, "readonly=on"),
                "-device", "virtio-rng-pci", *GRAPHICS_CARD, "-device", "virtio-serial", *self._port("output", "/dev/stdout"),
                *self._port("result", self._logs / "result"), *self._port("journal", self._logs / "journal.txt"),
                "-serial", f"file:{self._logs / 'console.log'}"]

    @staticmethod
    def _disk(path, mode):
        return ["-drive", f"file={path},format=raw,if=virtio,{mode}"]

    @staticmethod
    def _port(name, destination):
        return ["-chardev", f"file,id={name},path={destination}",
                "-device", f"virtserialport,chardev={name},name=org.orientationd.{name}"]

    def _relay(self, output, take_line, deadline):
        lines = queue.SimpleQueue()

        def read():
            for line in output:
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        while True:
            patience = min(LONGEST_SILENCE, deadline - time.monotonic())
            try:
                line = lines.get(timeout=max(patience, 0))
            except queue.Empty:
                raise self._failure("fell silent or took too long") from None
            if not line:
                return
            take_line(line.replace("\r\n", "\n"))

    def _exit_code(self):
        result = self._logs / "result"
        text = result.read_text().strip() if result.exists() else ""
        if not text:
            raise self._failure("ended before its tests did")
        return int(text)

    def _failure(self, what):
        said = [line for log in ("console.log", "qemu.log") if (self._logs / log).exists()
                for line in (self._logs / log).read_text(errors="replace").splitlines()]
        return GuestFailed("\n".join([f"the guest {what}; the last lines of its console and of QEMU:",
                                      *(f"    {line}" for line in said[-CONSOLE_LINES_SHOWN:])]))
