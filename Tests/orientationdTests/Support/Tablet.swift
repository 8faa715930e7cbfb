// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import TestSupport

/// A rig whose sensor a test turns: a chip that is polled, mounted as the kernel's axes are.
final class Tablet {
  let rig: Rig

  var client: Client { rig.client }

  /// Starts the daemon on a tablet that is held in portrait.
  ///
  /// - Parameters:
  ///   - configuration: more lines of the configuration.
  ///   - options: added to the daemon's command line.
  ///   - environment: added to the daemon's environment.
  ///   - bus: the bus to serve on; nil makes one.
  /// - Throws: ``GaveUp`` if the daemon does not come up.
  init(
    configuration: String = "", options: [String] = [], environment: [String: String] = [:],
    bus: PrivateBus? = nil
  ) throws {
    rig = try Rig(
      configuration: "AxisConvention=kernel\n\(configuration)\n", options: options,
      environment: environment, bus: bus
    ) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
    }
  }

  /// Starts the daemon with a client that has begun, and waits until it knows how the tablet is held.
  static func generating(configuration: String = "", options: [String] = []) throws -> Tablet {
    let tablet = try Tablet(configuration: configuration, options: options)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.forget()
    return tablet
  }

  /// Holds the tablet so, without waiting for what the daemon makes of it.
  func hold(_ orientation: DeviceOrientation) {
    let (x, y, z) =
      switch orientation {
      case .unknown: (0, 0, 0)
      case .portrait: (0, 1024, 0)
      case .portraitUpsideDown: (0, -1024, 0)
      case .landscapeLeft: (1024, 0, 0)
      case .landscapeRight: (-1024, 0, 0)
      case .faceUp: (0, 0, 1024)
      case .faceDown: (0, 0, -1024)
      }
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "\(x)")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "\(y)")
    rig.kernel.set("in_accel_z_raw", of: chipPath, to: "\(z)")
  }

  /// Turns the tablet, and waits until the daemon has told so.
  func turn(to orientation: DeviceOrientation) throws {
    hold(orientation)
    try client.wait(for: "OrientationName", toBe: .text(orientation.name))
    try client.catchUp()
  }

  /// Turns the tablet where nothing must be told of it, and waits until the daemon has taken it in.
  ///
  /// The filtered gravity, which is not held by the lock, shows that; 0.5 s more are ample for a decision.
  func turnUnheard(to orientation: DeviceOrientation) throws {
    hold(orientation)
    let axis = orientation.isPortrait ? 1 : orientation.isLandscape ? 0 : 2
    try client.wait(for: "the gravity of \(orientation)") {
      // Before the first reading, and where it is asked for too often, there is none.
      guard let reading = try? client.gravity()[axis] else { return false }
      let isPositive = [.portrait, .landscapeLeft, .faceUp].contains(orientation)
      return isPositive ? reading > 9.5 : reading < -9.5
    }
    try client.spend(seconds: 0.5)
  }
}
