// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The mounting of a sensor, from the first source that knows it.
package struct Mounting: Equatable, Sendable {
  /// A mount matrix, and where it comes from.
  package struct Candidate: Equatable, Sendable {
    /// The matrix.
    package let matrix: MountMatrix
    /// Its source.
    package let source: MatrixSource
    /// Its source, for display.
    package var origin: String { source.words }

    /// Creates a candidate.
    package init(matrix: MountMatrix, source: MatrixSource) {
      (self.matrix, self.source) = (matrix, source)
    }
  }

  /// The matrix; identity if there is none.
  package let matrix: MountMatrix
  /// The matrix as it is used, by the convention of iio-sensor-proxy, with the third row that tells face up from face down.
  package let effective: MountMatrix
  /// From the chip's axes to the panel's, by the panel's own upright.
  package let panelTransform: ScreenTransform
  /// From the chip's axes to the screen's.
  package let transform: ScreenTransform
  /// The source of the matrix; nil if there is none.
  package let matrixSource: MatrixSource?
  /// The source of the matrix, for display; nil if there is none.
  package var origin: String? { matrixSource?.words }
  /// The other matrices of the sensor that differ from the one in use.
  package let unused: [Candidate]
  /// What readings are multiplied by besides.
  let scaleFactor: Double
  /// A sentence for each matrix that was refused, or of which a part was ignored.
  package let warnings: [String]

  /// Uses the matrix of the configuration, or else one that was set, udev's, the driver's, or none; with `MountMatrixSource=driver`, the
  /// driver's before udev's.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - configuration: the administrator's matrix, and how matrices are interpreted.
  ///   - natural: the orientation of the device when the panel, whose axes are those of the matrices, stands by its own
  ///     upright.
  ///   - set: the matrix that a person has set; nil if nobody has.
  package init(
    of sensor: SensorDescription, configuration: Configuration, natural: NaturalOrientation,
    set: Candidate? = nil
  ) {
    var warnings: [String] = []
    let configured = configuration.mountMatrix.map { Candidate(matrix: $0, source: .configuration) }
    let byPeople = [configured, set].compactMap { $0 }
    var found = byPeople.first
    var unused = byPeople.filter { $0.matrix != byPeople.first?.matrix }
    var spelling = ""
    var texts = [(sensor.udev.mountMatrix, MatrixSource.udev), (sensor.driverMountMatrix, .driver)]
    if configuration.mountMatrixSource == .driver { texts.swapAt(0, 1) }
    for case (let text?, let source) in texts {
      do throws(MountMatrixError) {
        let next = Candidate(matrix: try MountMatrix(parsing: text), source: source)
        if found == nil {
          found = next
          spelling = " '\(text)'"
        } else if next.matrix != found?.matrix {
          unused.append(next)
        }
      } catch {
        guard found == nil else { continue }
        warnings.append("\(error); it comes from \(source.words) and is ignored")
      }
    }
    if let found, found.matrix.isSingular {
      warnings.append(
        "mount matrix\(spelling) from \(found.origin) is singular: its first two rows are used, and face up and down "
          + "derived from them, whatever FaceAxis= says")
    }
    matrix = found?.matrix ?? .identity
    let isSet = found?.source.isSet == true
    let onPanel = ScreenTransform(
      matrix: matrix, convention: isSet ? .proxy : configuration.axisConvention,
      faceAxis: isSet ? .asRead : configuration.faceAxis, sign: sensor.sign)
    effective = onPanel.matrix
    panelTransform = onPanel.scaled(by: configuration.scaleFactor)
    transform = panelTransform.turned(to: natural)
    matrixSource = found?.source
    self.unused = unused
    scaleFactor = configuration.scaleFactor
    self.warnings = warnings
  }

  /// Whether a person has given the matrix for this machine.
  var isByPerson: Bool { matrixSource == .configuration || matrixSource?.isSet == true }

  /// The matrix and its source, for display.
  package var matrixText: String { origin.map { "\(matrix) from \($0)" } ?? "none" }

  /// The source of the matrix, for display: "mount matrix from the driver".
  package var source: String { origin.map { "mount matrix from \($0)" } ?? "no mount matrix" }
}
