// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// Where it is marked what is set of the sensors, for the daemon after one that is killed.
enum SensorMarks {
  /// The file of the accelerometer; nil where nothing is marked.
  static var accelerometer: String? { path("accelerometer") }

  /// The file of another sensor.
  static func mark(of kind: AmbientSensorKind) -> String? { path(kind.rawValue) }

  /// Those that a daemon has left that was killed.
  static var left: [String] {
    let paths = [accelerometer] + AmbientSensorKind.allCases.map { mark(of: $0) }
    return paths.compactMap { $0 }.filter { access($0, F_OK) == 0 || access("\($0).left", F_OK) == 0 }
  }

  /// In the first of the folders that the service manager gives (systemd.exec(5)), which lasts until the machine is shut down.
  private static func path(_ name: String) -> String? {
    guard let variable = getenv("RUNTIME_DIRECTORY") else { return nil }
    let folders = String(cString: variable).split(separator: ":", omittingEmptySubsequences: false)
    return folders.first.flatMap { $0.isEmpty ? nil : "\($0)/\(name)" }
  }
}
