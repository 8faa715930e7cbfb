# SPDX-License-Identifier: Apache-2.0
"""A program that reads motion over a connection which a child of its own has made, and the child has ended: its number is free for others.

Prints the number; then, for each line of its input, starts a stream, and prints the states that it gets and the count of samples.
"""
import os
import socket
import sys
import time

from motion_client import ACCELEROMETER, PATH, RECORD, REQUEST, SAMPLE, START, VERSION, interval

PATIENCE = 5                        # seconds


def main():
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    child = os.fork()
    if child == 0:
        connection.connect(PATH)
        os._exit(0)
    os.waitpid(child, 0)
    print(child, flush=True)
    connection.settimeout(1)
    for _ in sys.stdin:
        states, samples, deadline = [], 0, time.monotonic() + PATIENCE
        try:
            connection.send(REQUEST.pack(VERSION, START, ACCELEROMETER, interval(100), 0))
            while time.monotonic() < deadline and (record := connection.recv(RECORD.size)):
                kind, *_, code = RECORD.unpack(record)
                samples += kind == SAMPLE
                if kind != SAMPLE:
                    states.append(code)
        except OSError:             # closed, or nothing comes
            pass
        print(samples, *states, flush=True)


if __name__ == "__main__":
    main()
