// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// The mount matrix that a person has set for a sensor of a model of machine.
package struct SensorMatrix: Equatable, Sendable {
  /// The most that ``model`` has, in bytes: the names of vendor and model in DMI have up to 64 each.
  package static let longestModel = 512

  /// Which sensor: `SensorDescription.model`.
  package let model: String
  /// The matrix, by the convention of iio-sensor-proxy.
  package let matrix: MountMatrix

  /// Names the sensor, and its matrix.
  package init(model: String, matrix: MountMatrix) {
    (self.model, self.matrix) = (model, matrix)
  }
}

/// The mount matrices that people have set while the daemon ran.
package struct SetMatrices: Equatable, Sendable {
  /// The one that is tried at present; nil if none is.
  private let preview: SensorMatrix?
  /// Those that are kept, at most one of a sensor.
  private let kept: [SensorMatrix]

  /// Creates the set of one that is tried, and those that are kept.
  package init(preview: SensorMatrix? = nil, kept: [SensorMatrix] = []) {
    (self.preview, self.kept) = (preview, kept)
  }

  /// The matrix for a sensor; nil if none was set.
  ///
  /// - Parameter model: the sensor's `model`; nil for one that cannot have any.
  /// - Returns: the matrix, a preview before one that is kept.
  package func candidate(for model: String?) -> Mounting.Candidate? {
    guard let model else { return nil }
    if let preview, preview.model == model {
      return Mounting.Candidate(matrix: preview.matrix, source: .preview)
    }
    return kept.first { $0.model == model }.map {
      Mounting.Candidate(matrix: $0.matrix, source: .calibration)
    }
  }
}
