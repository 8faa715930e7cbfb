// SPDX-License-Identifier: Apache-2.0

/// How the sensor of a kind is, and what it says.
enum AmbientState<Reading: Equatable>: Equatable {
  /// There is none.
  case absent
  /// There is one, and nobody claims it: it is powered down.
  case idle
  /// It is claimed, and has not said anything yet.
  case starting
  /// It says this. While the machine sleeps, the last word holds.
  case active(Reading)
  /// It is claimed and cannot be opened or read, or its driver hangs; tried again now and then.
  case failed

  /// The same with another reading; a sensor that says nothing of use is one that fails.
  func map<Other>(_ transform: (Reading) -> Other?) -> AmbientState<Other> {
    switch self {
    case .absent: .absent
    case .idle: .idle
    case .starting: .starting
    case .active(let reading): transform(reading).map { .active($0) } ?? .failed
    case .failed: .failed
    }
  }
}
