#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""phosh.py DAEMON TOOL FILE.png: draws the screen of phosh, a shell for tablets, on an upright tablet and on a turned one.

What is on the screen are the pictures that the test with real shells keeps (make test-shell).
"""

import pathlib
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

TEST = pathlib.Path(__file__).resolve().parents[1] / "Tests/System/shell/run"
# The test's pictures have two pixels for each of phosh.
SCALE = 0.4
# Of the tablet around its screen, in pixels of the picture.
FRAME, CORNER, CAMERA, GAP = 18, 26, 4, 48
BODY, EDGE, LENS = "#2b323b", "#7d8794", "#7d8794"
# Edges are drawn in this many pixels for one, so that they are smooth.
FINE = 4
COLOURS = 96
# Of the window, as Tests/System/shell/window.py has it.
PAPER = (250, 250, 245)


def screens(daemon, tool):
    """What phosh has shown upright, and with the left edge up."""
    with tempfile.TemporaryDirectory() as folder:
        test = subprocess.run([TEST, daemon, tool, folder, "phosh"], capture_output=True, text=True, check=False)
        if test.returncode != 0:
            raise SystemExit(f"{test.stdout}{test.stderr}phosh: the test has failed")
        return [Image.open(f"{folder}/phosh/{name}.png").convert("RGB") for name in ("normal", "left-up")]


def check(screen):
    """The window must be seen, not the shell's overview of apps."""
    paper = sum(count for count, colour in screen.getcolors(1 << 24) if colour == PAPER)
    if paper < screen.width * screen.height / 5:
        raise SystemExit("phosh: the window is not on its screen")


def tablet(screen):
    """A tablet with this on its screen; a turned one has its left edge up, so that its camera is on the right."""
    width, height = (round(side * SCALE) for side in screen.size)
    size = width + 2 * FRAME, height + 2 * FRAME
    body = Image.new("RGBA", [side * FINE for side in size])
    draw = ImageDraw.Draw(body)
    draw.rounded_rectangle([0, 0, *(side * FINE - 1 for side in size)], CORNER * FINE, BODY, EDGE, 2 * FINE)
    x, y = (size[0] / 2, FRAME / 2) if height > width else (size[0] - FRAME / 2, size[1] / 2)
    draw.ellipse([(at + way * CAMERA) * FINE for way in (-1, 1) for at in (x, y)], LENS)
    body = body.resize(size, Image.LANCZOS)
    body.paste(screen.resize((width, height), Image.LANCZOS), (FRAME, FRAME))
    return body


def main():
    daemon, tool, target = sys.argv[1:]
    shown = screens(daemon, tool)
    for screen in shown:
        check(screen)
    upright, turned = map(tablet, shown)
    whole = Image.new("RGBA", (upright.width + GAP + turned.width, upright.height))
    whole.paste(upright, (0, 0))
    whole.paste(turned, (upright.width + GAP, (upright.height - turned.height) // 2))
    whole.quantize(COLOURS, Image.FASTOCTREE).save(target, optimize=True)


if __name__ == "__main__":
    main()
