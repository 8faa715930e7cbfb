// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// A gyroscope and its mounting in the tablet: all that sampling needs.
///
/// Two are equal if sampling them is the same.
package struct MountedGyroscope: Equatable, Sendable {
  /// The origin of its samples, a device of this machine.
  package let origin: SensorOrigin
  /// Its name, for display.
  package let name: String
  /// From its axes to the screen's.
  package let transform: RateTransform
  /// Whether it is part of the IIO device of the accelerometer that is used, with which it shares a buffer.
  package let isOfAccelerometer: Bool
}

/// The gyroscope of a machine, and what is wrong with its mount matrix.
struct GyroscopeFinding {
  /// The gyroscope; nil if there is none.
  private(set) var gyroscope: MountedGyroscope?
  /// A sentence for each matrix that was refused.
  private(set) var warnings: [String] = []

  /// Finds the mounting of the gyroscope that the catalog has chosen.
  ///
  /// Its own matrix counts, udev's or the driver's. If it has none, and is part of the chip or hub of the accelerometer, it is mounted like
  /// that; also if a person has given a matrix, which is the accelerometer's.
  ///
  /// - Parameters:
  ///   - catalog: the devices.
  ///   - accelerometer: how the accelerometer that is used is mounted; nil if there is none.
  ///   - configuration: how mount matrices are interpreted.
  ///   - natural: the orientation of the device in which the panel is upright.
  init(
    in catalog: SensorCatalog, beside accelerometer: Mounting?, configuration: Configuration,
    natural: NaturalOrientation
  ) {
    guard configuration.sensor.isOfThisMachine, let device = catalog.gyroscope else { return }
    let other = catalog.used?.sensor
    let isOfAccelerometer = other.map { device.isOfSameDevice(as: $0) } ?? false
    let isMountedLike = other.map { device.isMountedLike($0) } ?? false
    let hasOwnMatrix = device.mountMatrix != nil && accelerometer?.isByPerson != true
    let forces: ScreenTransform
    if let accelerometer, isOfAccelerometer || (isMountedLike && !hasOwnMatrix) {
      forces = accelerometer.transform
    } else {
      var configuration = configuration
      configuration.mountMatrix = nil
      configuration.faceAxis = .auto
      let mounting = Mounting(of: device, configuration: configuration, natural: natural)
      warnings = mounting.warnings.map { "\(device.displayName): \($0)" }
      forces = mounting.transform
    }
    gyroscope = MountedGyroscope(
      origin: .device(device), name: device.displayName, transform: RateTransform(ofForcesBy: forces),
      isOfAccelerometer: isOfAccelerometer)
  }
}
