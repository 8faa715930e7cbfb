// SPDX-License-Identifier: Apache-2.0

/// What is known of a sensor, and its reading.
enum SensorState<Reading: Equatable>: Equatable {
  /// There is none.
  case absent
  /// There is one, and no client has claimed it: it is powered down.
  case idle
  /// It is claimed, and has not delivered anything yet.
  case starting
  /// This is its reading. While the machine sleeps, the last one holds.
  case active(Reading)
  /// It is claimed and cannot be opened or read, or its driver hangs; it is tried again now and then.
  case failed

  /// Whether there is one.
  var isPresent: Bool { self != .absent }

  /// Whether it runs and has a reading.
  var isActive: Bool { if case .active = self { true } else { false } }

  /// Whether a first reading may still come.
  var isPending: Bool { self == .idle || self == .starting }

  /// The same with another reading; a sensor whose reading is of no use counts as failed.
  func map<Other>(_ transform: (Reading) -> Other?) -> SensorState<Other> {
    switch self {
    case .absent: .absent
    case .idle: .idle
    case .starting: .starting
    case .active(let reading): transform(reading).map { .active($0) } ?? .failed
    case .failed: .failed
    }
  }
}
