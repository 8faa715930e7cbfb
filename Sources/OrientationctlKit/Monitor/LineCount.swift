// SPDX-License-Identifier: Apache-2.0

/// How many lines have been printed, of those that `--count` asks for.
struct LineCount {
  private let limit: Int?
  private var printed = 0

  /// Counts from 0.
  ///
  /// - Parameter limit: the number of lines to print; nil is no limit.
  init(limit: Int?) { self.limit = limit }

  /// Whether the limit has been reached.
  var isComplete: Bool { limit.map { printed >= $0 } ?? false }

  /// That lines are missing, for people; nil if none is.
  var shortfall: String? {
    guard let limit, printed < limit else { return nil }
    return "only \(printed) of \(limit) lines were printed in time"
  }

  /// Counts a line.
  mutating func add() { printed += 1 }
}
