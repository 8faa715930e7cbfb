// SPDX-License-Identifier: Apache-2.0

// A sensor that fails fails again and again, also with a recovery in between, and each attempt may fail in another way.
// The journal is to say so and not to fill up: at most four failures an hour, and each of them once.

import Orientation

/// Which failures are logged, and which are left out as the journal has enough of them.
struct FailureLimiter<Failure: Equatable> {
  /// How long a failure that was logged is not logged again after a recovery, in seconds.
  private static var quietSeconds: Double { 3600 }
  /// How many different ones are logged meanwhile.
  private static var limit: Int { 4 }

  private var logged: [Failure] = []
  private var first: BootTime?
  private var isRecoveryDue = false

  /// Takes a failure in; returns whether to log it.
  mutating func shouldLog(_ failure: Failure, at now: BootTime) -> Bool {
    if let first, !isRecoveryDue, now.seconds(since: first) >= Self.quietSeconds { logged = [] }
    guard logged.count < Self.limit, !logged.contains(failure) else { return false }
    if logged.isEmpty { first = now }
    logged.append(failure)
    isRecoveryDue = true
    return true
  }

  /// Takes in a failure whose end is not noticed; returns whether to log it.
  mutating func shouldLogEvent(_ failure: Failure, at now: BootTime) -> Bool {
    defer { isRecoveryDue = false }
    return shouldLog(failure, at: now)
  }

  /// Takes in that all is well again; returns whether to log that, which is so if the failure was logged.
  mutating func shouldLogRecovery() -> Bool {
    defer { isRecoveryDue = false }
    return isRecoveryDue
  }
}
