#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Print the readings of Qt's QOrientationSensor, through its back end for net.hadess.SensorProxy, until killed."""
try:
    from PyQt6.QtCore import QCoreApplication
    from PyQt6.QtSensors import QOrientationReading, QOrientationSensor
except ImportError:                 # Debian 12 does not have its sensors
    from PyQt5.QtCore import QCoreApplication
    from PyQt5.QtSensors import QOrientationReading, QOrientationSensor

ORIENTATION = getattr(QOrientationReading, "Orientation", QOrientationReading)     # PyQt6 has its values in an enumeration
NAMES = {getattr(ORIENTATION, name): name
         for name in ("Undefined", "TopUp", "TopDown", "LeftUp", "RightUp", "FaceUp", "FaceDown")}

application = QCoreApplication([])
sensor = QOrientationSensor()
sensor.setIdentifier(b"iio-sensor-proxy.orientationsensor")
sensor.readingChanged.connect(lambda: print(NAMES[sensor.reading().orientation()], flush=True))
if not sensor.start():
    raise SystemExit("there is no orientation sensor")
application.exec()
