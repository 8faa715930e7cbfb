# SPDX-License-Identifier: Apache-2.0
"""orientationctl calibrate corrects a sensor that nothing describes: by the daemon, and in udev for iio-sensor-proxy too."""
import subprocess
from pathlib import Path

import iio_device
from bus import SignalMonitor
from bus_client import BusClient
from hid_sensor_hub import HidSensorHub
from incumbent import CLAIM, is_called, sensor_proxy_interface, sensor_proxy_service
from orientationd_case import BEGIN, OrientationdCase
from poses import FACE_UP, LANDSCAPE_LEFT, LANDSCAPE_RIGHT, ONE_TURN, PORTRAIT, read_by_turned_hub

HWDB_FILE = Path("/etc/udev/hwdb.d/61-sensor-local.hwdb")
LOCAL_HWDB = Path("/etc/udev/hwdb.bin")
TIMEOUT = 100                       # seconds; building the database takes most of them
EARLIER = """\
# An entry of the administrator's.
sensor:modalias:acpi:KIOX0009*:dmi:*
 ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1
"""


def udev(*arguments):
    return subprocess.run(["udevadm", *arguments], check=True, capture_output=True, text=True, timeout=TIMEOUT).stdout


class WronglyMountedHub(OrientationdCase):
    def setUp(self):
        super().setUp()
        self.assertFalse(LOCAL_HWDB.exists(), "the machine's own database, which the test would remove")
        self.hub = HidSensorHub(read=read_by_turned_hub)
        self.addCleanup(self.forget_calibration)
        self.addCleanup(self.hub.unplug)
        HWDB_FILE.parent.mkdir(parents=True, exist_ok=True)
        HWDB_FILE.write_text(EARLIER)
        self.hub.plug()
        iio_device.wait_for(self.hub.iio_name)

    def forget_calibration(self):
        for file in (HWDB_FILE, LOCAL_HWDB):
            file.unlink(missing_ok=True)
        udev("control", "--reload")

    def calibrate(self, *options):
        """As a person would who confirms each pose by Enter, and says that the screen turns rightly. Returns what they read."""
        poses = iter((PORTRAIT, FACE_UP, LANDSCAPE_LEFT))
        text = ""
        with subprocess.Popen(["orientationctl", "calibrate", *options], text=True, bufsize=1,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as tool:
            for line in tool.stdout:
                text += line
                if "press Enter" in line:
                    self.hub.hold(next(poses))
                    print(file=tool.stdin)
                if "Turn the device." in line:
                    print("y", file=tool.stdin)
        self.assertEqual(tool.returncode, 0, text)
        return text

    def matrix_of_udev(self):
        device = str(iio_device.find(self.hub.iio_name).path)
        lines = udev("info", "--query=property", f"--path={device}").splitlines()
        return [line.partition("=")[2] for line in lines if line.startswith("ACCEL_MOUNT_MATRIX=")]

    def check_names_of_sensor_proxy(self):
        self.service.stop()
        self.hub.hold(LANDSCAPE_RIGHT)
        remote = sensor_proxy_interface()
        service = sensor_proxy_service()
        service.start_afresh()
        self.addCleanup(service.stop)
        signals = self.enterContext(SignalMonitor(remote.service))
        self.enterContext(BusClient(remote)).call(CLAIM)
        for pose in ONE_TURN:
            position = signals.position
            self.hub.hold(pose)
            self.assertIsNotNone(signals.wait_for(is_called(pose), position), pose.name)
            self.assertEqual(remote.property("AccelerometerOrientation"), pose.proxy_word)

    def test_is_mended_by_three_poses_for_both_daemons(self):
        self.client.call(BEGIN)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation("landscapeLeft")
        self.assertEqual(self.matrix_of_udev(), [])

        text = self.calibrate("--hwdb", "--apply")
        self.assertIn("udev has it now", text)
        self.assertEqual(self.matrix_of_udev(), ["0, -1, 0; 1, 0, 0; 0, 0, -1"], text)
        self.assertTrue(HWDB_FILE.read_text().startswith(EARLIER), HWDB_FILE.read_text())

        self.hub.hold(PORTRAIT)         # the daemon was never told anything, but by udev
        self.wait_for_orientation(PORTRAIT.name)
        self.check_all_six_poses(self.hub)
        self.check_names_of_sensor_proxy()

        again = self.calibrate("--hwdb", "--apply")
        self.assertIn("already right", again)

    def test_is_mended_by_the_daemon_which_nobody_else_may_tell(self):
        self.addCleanup(subprocess.run, ["orientationctl", "calibrate", "--reset"], check=True, capture_output=True)
        self.client.call(BEGIN)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation("landscapeLeft")
        refusal = subprocess.run(
            ["busctl", "--system", "call", "org.orientationd1", "/org/orientationd1", "org.orientationd1.Sensor", "SetMountMatrix",
             "su", "0, -1, 0; 1, 0, 0; 0, 0, -1", "60"], user="nobody", capture_output=True, text=True, timeout=30)
        # busctl has words of its own for this error.
        self.assertIn("access denied", refusal.stderr.lower())

        text = self.calibrate()
        self.assertIn("Kept: ", text)
        self.assertEqual(self.matrix_of_udev(), [])
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation(PORTRAIT.name)
        self.check_all_six_poses(self.hub)
        refusal = subprocess.run(["orientationctl", "calibrate", "--reset"], user="nobody", stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, timeout=30)
        self.assertIn("not authorized", refusal.stderr)

        self.service.stop()
        self.service.start()
        self.client.call(BEGIN)
        self.hub.hold(PORTRAIT)
        self.wait_for_orientation(PORTRAIT.name)
