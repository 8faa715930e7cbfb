# SPDX-License-Identifier: Apache-2.0
"""A program that starts processes until one has a certain number, which it reads; then prints the number, and keeps that process. Says first
that it is ready."""
import os
import sys
import time


def main():
    print("ready", flush=True)
    wanted = int(sys.stdin.readline())
    while True:
        child = os.fork()
        if child == wanted:
            print(child, flush=True)
            sys.stdin.read()
            os.kill(child, 9)
            return
        if child == 0:
            if os.getpid() == wanted:
                time.sleep(3600)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
