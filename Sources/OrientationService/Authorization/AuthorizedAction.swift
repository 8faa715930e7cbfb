// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

// One rule: orientation is harmless, and everybody may have it. Motion is a side channel (what is typed, spoken and walked can be
// read from it), and so is a sensor that others hold on: both ask the policy, and so does what changes the screen for everybody.

/// What a client may do only if polkit allows it: the actions of the policies in `data`.
enum AuthorizedAction: String {
  /// Locking and unlocking the rotation.
  case setRotationLock = "org.orientationd1.set-rotation-lock"
  /// Every other change of the interface's orientation.
  case rotate = "org.orientationd1.rotate"
  /// Reading how gravity lies, which tells how the device moves.
  case readGravity = "org.orientationd1.read-gravity"
  /// Having a sensor run, by iio-sensor-proxy's interface.
  case claimSensor = "net.hadess.SensorProxy.claim-sensor"

  /// The D-Bus error of who may not: iio-sensor-proxy's clients know its own.
  var refusal: String {
    switch self {
    case .setRotationLock, .rotate, .readGravity: ServiceErrorName.notAuthorized
    case .claimSensor: BusError.Name.accessDenied
    }
  }
}
