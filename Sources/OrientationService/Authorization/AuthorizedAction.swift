// SPDX-License-Identifier: Apache-2.0

import Orientation

// Orientation is harmless, and every client may read it. Motion is a side channel: what is typed and spoken, and where a user walks,
// can be read from it. So reading motion and claiming a sensor need an authorization, and so do changes of the screen. Gravity is motion,
// too: what a low-pass filter has taken away can be computed back from what it lets through.

/// What a client may do only if polkit allows it: the actions of the policies in `data`.
enum AuthorizedAction: String {
  /// Locking and unlocking the rotation.
  case setRotationLock = "org.orientationd1.set-rotation-lock"
  /// Every other change of the interface's orientation.
  case rotate = "org.orientationd1.rotate"
  /// Holding the interface to some orientations while an app is on the screen.
  case hold = "org.orientationd1.hold-orientation"
  /// Setting how the accelerometer is mounted.
  case setMountMatrix = "org.orientationd1.set-mount-matrix"
  /// Reading how the device moves: a sensor's own values, or gravity.
  case readMotion = "org.orientationd1.motion"
  /// Claiming a sensor by iio-sensor-proxy's interface, which makes it run.
  case claimSensor = "net.hadess.SensorProxy.claim-sensor"
}
