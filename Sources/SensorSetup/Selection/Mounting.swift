// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The mounting of a sensor, from the first source that knows it.
package struct Mounting: Equatable, Sendable {
  /// A mount matrix, and where it comes from.
  package struct Candidate: Equatable, Sendable {
    /// The matrix.
    package let matrix: MountMatrix
    /// Its source, for display.
    package let origin: String
  }

  /// The matrix; identity if there is none.
  package let matrix: MountMatrix
  /// From the chip's axes to the panel's, by the panel's own upright.
  package let panelTransform: ScreenTransform
  /// From the chip's axes to the screen's.
  package let transform: ScreenTransform
  /// The source of the matrix, for display; nil if there is none.
  package let origin: String?
  /// The other matrices of the sensor that differ from the one in use.
  package let unused: [Candidate]
  /// What readings are multiplied by besides.
  let scaleFactor: Double
  /// A sentence for each matrix that was refused, or of which a part was ignored.
  package let warnings: [String]

  /// Uses the matrix of the configuration, or else udev's, the driver's, or none; with `MountMatrixSource=driver`, the driver's before
  /// udev's.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - configuration: the administrator's matrix, and how matrices are interpreted.
  ///   - natural: the orientation of the device when the panel, whose axes are those of the matrices, stands by its own
  ///     upright.
  package init(of sensor: SensorDescription, configuration: Configuration, natural: NaturalOrientation) {
    var warnings: [String] = []
    var found = configuration.mountMatrix.map { Candidate(matrix: $0, origin: "the configuration") }
    var unused: [Candidate] = []
    var spelling = ""
    var texts = [
      (sensor.udev.mountMatrix, "udev (ACCEL_MOUNT_MATRIX)"), (sensor.driverMountMatrix, "the driver"),
    ]
    if configuration.mountMatrixSource == .driver { texts.swapAt(0, 1) }
    for case (let text?, let origin) in texts {
      do throws(MountMatrixError) {
        let next = Candidate(matrix: try MountMatrix(parsing: text), origin: origin)
        if found == nil {
          found = next
          spelling = " '\(text)'"
        } else if next.matrix != found?.matrix {
          unused.append(next)
        }
      } catch {
        guard found == nil else { continue }
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
    self.unused = unused
    scaleFactor = configuration.scaleFactor
    self.warnings = warnings
  }

  /// The matrix and its source, for display.
  package var matrixText: String { origin.map { "\(matrix) from \($0)" } ?? "none" }

  /// The source of the matrix, for display: "mount matrix from the driver".
  package var source: String { origin.map { "mount matrix from \($0)" } ?? "no mount matrix" }
}
