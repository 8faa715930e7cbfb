// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Prints orientations, each only where it differs from the one before.
final class ChangePrinter {
  private let isJSON: Bool
  private let limit: Int?
  private var printed = 0
  private var last = DeviceOrientation.unknown

  /// Creates a printer that has not printed anything, which is as good as unknown.
  ///
  /// - Parameters:
  ///   - isJSON: whether lines are for programs.
  ///   - limit: how many lines are wanted; nil is no limit.
  init(isJSON: Bool, limit: Int?) {
    self.isJSON = isJSON
    self.limit = limit
  }

  /// Whether as many lines have been printed as were wanted.
  var isDone: Bool { limit.map { printed >= $0 } ?? false }

  /// What is missing, for people; nil where nothing is.
  var shortfall: String? {
    guard let limit, printed < limit else { return nil }
    return "only \(printed) of \(limit) lines came in time"
  }

  /// Prints a line for an orientation that is new.
  func print(_ change: OrientationChange) throws(OutputError) {
    guard change.orientation != last, !isDone else { return }
    last = change.orientation
    printed += 1
    try StandardOutput.write(line(for: change) + "\n")
  }

  private func line(for change: OrientationChange) -> String {
    let time = WallTime(change.time)
    guard isJSON else { return "\(time.timeOfDay)  \(change.orientation.name)" }
    return JSON.object([
      .init("time", .string(time.rfc3339)),
      .init("boottime_us", .integer(Int64(clamping: change.time.microseconds))),
      .init("orientation", .integer(Int64(change.orientation.rawValue))),
      .init("name", .string(change.orientation.name)),
    ]).text
  }
}
