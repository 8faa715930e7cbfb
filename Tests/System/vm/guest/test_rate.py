# SPDX-License-Identifier: Apache-2.0
"""The installed daemon with a higher SampleRate= than the default."""
import time
from pathlib import Path

from orientationd_case import orientation_signal
from poses import LANDSCAPE_LEFT
from test_hid_buffered import HidCase
from waiting import wait_until

ASKED = 4                           # seconds of silence after which the hub was asked, and is so seldom from then on
DROP_IN = Path("/run/orientationd.conf.d/rate.conf")


class HubAtRestAtAHighRate(HidCase):
    def setUp(self):
        super().setUp()
        DROP_IN.parent.mkdir(parents=True, exist_ok=True)
        DROP_IN.write_text("[Orientation]\nSampleRate=100\n")
        self.addCleanup(DROP_IN.unlink)

    def test_is_followed_through_a_turn_that_the_hub_reports_once(self):
        self.begin()
        wait_until(lambda: self.hub.sensitivity > 0, 10, "change sensitivity")
        time.sleep(ASKED)
        position = self.signals.position
        self.hub.hold(LANDSCAPE_LEFT)
        self.expect_signal(orientation_signal(LANDSCAPE_LEFT.orientation), position, "OrientationDidChange")
