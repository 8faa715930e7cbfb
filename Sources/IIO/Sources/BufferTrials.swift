// SPDX-License-Identifier: Apache-2.0

import Orientation

/// When a buffer that gave way to polling is tried again, and what it has to show then.
package struct BufferTrials {
  /// Whether a sensor's silence is believed only after it has reported some times: it was silent while it moved.
  var needProof = false
  /// Rarer and rarer, as a turn may be noticed late during a trial.
  private var pause = RetryBackoff(from: 10, upTo: 300)

  /// Creates those of a sensor whose buffer has not failed yet.
  package init() {}

  /// Takes in that the buffer was opened, and has shown what it had to.
  mutating func succeeded(at now: BootTime) {
    pause.succeeded(at: now)
  }

  /// Until when to poll; nil where the buffer is not worth another trial before the sensor is opened anew.
  mutating func nextTrial(after failure: SourceError, at now: BootTime) -> BootTime? {
    switch failure {
    // A busy one may be free a moment later, and a trial touches nothing of what another program has.
    case .silent, .noGravity, .malformed, .system, .busy: now.advanced(bySeconds: pause.next(at: now))
    default: nil
    }
  }
}
