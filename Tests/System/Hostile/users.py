# SPDX-License-Identifier: Apache-2.0
"""Processes of other users, which work step by step."""

import ctypes
import multiprocessing
import os
import pwd
import signal
import traceback

PR_SET_PDEATHSIG = 1

NOBODY = pwd.getpwnam("nobody").pw_uid
# More users without any right, of those that every Debian has: dbus-daemon lets nobody in who has no account.
SECOND, THIRD, FOURTH = (pwd.getpwnam(name).pw_uid for name in ("games", "news", "list"))
# Whose the daemon is here; the policy's user="orientationd" is replaced by it.
SERVICE_USER = "daemon"
ROOT = 0

fork = multiprocessing.get_context("fork")


def become(user):
    if user != os.geteuid():
        os.setgroups([])
        os.setgid(pwd.getpwuid(user).pw_gid)
        os.setuid(user)


class Process:
    """Runs a generator function as another user. Each `yield` of it is an answer to `proceed`, and waits for the next one."""

    def __init__(self, user, steps, *arguments):
        self.pipe, theirs = fork.Pipe()
        self.process = fork.Process(target=self.run, args=(theirs, user, steps, arguments), daemon=True)
        self.process.start()
        theirs.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def run(self, pipe, user, steps, arguments):
        self.pipe.close()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            become(user)
            generator = steps(*arguments)
            while True:
                pipe.recv()
                pipe.send((True, next(generator)))
        except EOFError:
            pass  # the test has ended
        except BaseException:
            pipe.send((False, traceback.format_exc()))

    def proceed(self, timeout=60):
        """Lets it go on; what it says next."""
        self.begin()
        return self.answer(timeout)

    def begin(self):
        """Lets it go on; `answer` tells what it says next."""
        self.pipe.send(None)

    def answer(self, timeout=60):
        if not self.pipe.poll(timeout):
            raise TimeoutError("a process did not come to its next step")
        try:
            worked, value = self.pipe.recv()
        except EOFError:
            raise RuntimeError("a process ended before its last step") from None
        if not worked:
            raise RuntimeError(value)
        return value

    def end(self):
        self.process.kill()
        self.process.join()
        self.pipe.close()
