// SPDX-License-Identifier: Apache-2.0

public import IIO
public import Orientation

/// How a sensor is mounted, from whoever knows it best.
public struct Mounting: Equatable, Sendable {
  /// From the chip's axes to the screen's.
  public let transform: ScreenTransform
  /// Where the matrix came from, for people.
  public let source: String
  /// A sentence for each matrix that was refused.
  public let warnings: [String]

  /// Takes the matrix of the configuration, else udev's, else the driver's, else none.
  public init(of sensor: SensorDescription, configuration: Configuration) {
    var warnings: [String] = []
    var found: (matrix: MountMatrix, source: String)?
    if let matrix = configuration.mountMatrix { found = (matrix, "mount matrix from the configuration") }
    let texts = [
      (sensor.udev.mountMatrix, "udev (ACCEL_MOUNT_MATRIX)"), (sensor.driverMountMatrix, "the driver"),
    ]
    for case (let text?, let origin) in texts where found == nil {
      do throws(MountMatrixError) {
        found = (try MountMatrix(parsing: text), "mount matrix from \(origin)")
      } catch {
        warnings.append("\(error), and is ignored; it comes from \(origin)")
      }
    }
    transform = ScreenTransform(
      matrix: found?.matrix ?? .identity, convention: configuration.axisConvention,
      faceAxis: configuration.faceAxis, sign: sensor.sign)
    source = found?.source ?? "no mount matrix"
    self.warnings = warnings
  }
}
