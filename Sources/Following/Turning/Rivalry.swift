// SPDX-License-Identifier: Apache-2.0

/// Counts how often something else has turned the panel back.
///
/// A person does this once, and a compositor that reads its configuration again; another program that follows something else does it
/// each time, thousands of times in a second.
struct Rivalry {
  /// How many times are too many.
  static let limit = 3
  /// In which time, in seconds.
  static let span = 5.0

  private var times: [Double] = []

  /// Notes that a transform which was applied is no longer there.
  ///
  /// - Parameter seconds: the present time.
  /// - Returns: whether this was once too often.
  mutating func undone(at seconds: Double) -> Bool {
    times.removeAll { seconds - $0 > Self.span }
    times.append(seconds)
    return times.count >= Self.limit
  }
}
