// SPDX-License-Identifier: Apache-2.0

// A sensor that fails fails again and again, also with a recovery in between, and each attempt may fail in another way.
// The journal is to say so and not to fill up: at most four failures an hour, and each of them once.

import IIO
import Orientation

/// Which failures the journal has been told of lately.
struct ToldFailures {
  /// How long a failure that was told is not told again after a recovery, in seconds.
  private static let quietSeconds = 3600.0
  /// How many different ones are told meanwhile.
  private static let limit = 4

  private var told: [SourceError] = []
  private var first: BootTime?
  private var isRecoveryDue = false

  /// Takes a failure in; returns whether to tell it.
  mutating func isNews(_ failure: SourceError, at now: BootTime) -> Bool {
    if let first, !isRecoveryDue, now.seconds(since: first) >= Self.quietSeconds { told = [] }
    guard told.count < Self.limit, !told.contains(failure) else { return false }
    if told.isEmpty { first = now }
    told.append(failure)
    isRecoveryDue = true
    return true
  }

  /// Takes in that all is well again; returns whether to tell that, which is so where the failure was told.
  mutating func isRecoveryNews() -> Bool {
    defer { isRecoveryDue = false }
    return isRecoveryDue
  }
}
