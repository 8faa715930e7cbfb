// SPDX-License-Identifier: Apache-2.0

public import IIO
public import Orientation

/// The mounting of a sensor, from the first source that knows it.
public struct Mounting: Equatable, Sendable {
  /// The matrix; identity if there is none.
  public let matrix: MountMatrix
  /// From the chip's axes to the panel's, by the panel's own upright.
  public let panelTransform: ScreenTransform
  /// From the chip's axes to the screen's.
  public let transform: ScreenTransform
  /// The source of the matrix, for display; nil if there is none.
  public let origin: String?
  /// A sentence for each matrix that was refused, or of which a part was ignored.
  public let warnings: [String]

  /// Uses the matrix of the configuration, or else udev's, the driver's, or none.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - configuration: the administrator's matrix, and how matrices are interpreted.
  ///   - natural: the orientation of the device when the panel, whose axes are those of the matrices, stands by its own
  ///     upright.
  public init(of sensor: SensorDescription, configuration: Configuration, natural: NaturalOrientation) {
    var warnings: [String] = []
    var found: (matrix: MountMatrix, origin: String)?
    var spelling = ""
    if let matrix = configuration.mountMatrix { found = (matrix, "the configuration") }
    let texts = [
      (sensor.udev.mountMatrix, "udev (ACCEL_MOUNT_MATRIX)"), (sensor.driverMountMatrix, "the driver"),
    ]
    for case (let text?, let origin) in texts where found == nil {
      do throws(MountMatrixError) {
        found = (try MountMatrix(parsing: text), origin)
        spelling = " '\(text)'"
      } catch {
        warnings.append("\(error); it comes from \(origin) and is ignored")
      }
    }
    if let found, found.matrix.isSingular {
      warnings.append(
        "mount matrix\(spelling) from \(found.origin) is singular: its first two rows are used, and face up and down "
          + "derived from them, whatever FaceAxis= says")
    }
    matrix = found?.matrix ?? .identity
    panelTransform = ScreenTransform(
      matrix: matrix, convention: configuration.axisConvention,
      faceAxis: configuration.faceAxis, sign: sensor.sign
    ).scaled(by: configuration.scaleFactor)
    transform = panelTransform.turned(to: natural)
    origin = found?.origin
    self.warnings = warnings
  }

  /// The source of the matrix, for display: "mount matrix from the driver".
  public var source: String { origin.map { "mount matrix from \($0)" } ?? "no mount matrix" }
}
