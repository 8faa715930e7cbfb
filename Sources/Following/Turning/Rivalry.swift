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

/// Spaces out requests that do not lead to what is wanted.
///
/// The outputs may have changed before a request, and it is then repeated at once. A desktop that answers each request so, or that
/// says that it has turned an output and has not, must not cost a processor.
struct RequestRepetition {
  /// How many requests are made at once.
  private static let prompt = 3
  /// The first wait, in seconds; each one after it is twice as long.
  private static let shortest = 0.1
  /// The longest wait, in seconds.
  private static let longest = 10.0

  private var count = 0
  private var last = 0.0

  /// How long to wait with the next request, in seconds; nil if it can be made now.
  func wait(at seconds: Double) -> Double? {
    guard count >= Self.prompt else { return nil }
    var wait = Self.shortest
    for _ in Self.prompt..<count where wait < Self.longest { wait *= 2 }
    let rest = last + min(wait, Self.longest) - seconds
    return rest > 0 ? rest : nil
  }

  /// Whether this has gone on for so long that a person should know it.
  var isLong: Bool { count > Self.prompt + 3 }

  /// Counts a request.
  mutating func asked(at seconds: Double) {
    count += 1
    last = seconds
  }
}
