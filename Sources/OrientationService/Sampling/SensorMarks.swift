// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// The paths of the marks that record what is set on the sensors, for the next daemon if this one is killed.
enum SensorMarks {
  /// The mark of the accelerometer; nil if no marks are written.
  static var accelerometer: String? { path("accelerometer") }

  /// The mark of a gyroscope with a device of its own.
  static var gyroscope: String? { path("gyroscope") }

  /// The mark of another sensor.
  static func mark(of kind: AmbientSensorKind) -> String? { path(kind.rawValue) }

  /// The marks of a daemon that was killed.
  static var left: [String] {
    let paths = [accelerometer, gyroscope] + AmbientSensorKind.allCases.map { mark(of: $0) }
    return paths.compactMap { $0 }.filter { access($0, F_OK) == 0 || access("\($0).left", F_OK) == 0 }
  }

  private static func path(_ name: String) -> String? { RuntimeFolder.path.map { "\($0)/\(name)" } }
}
