// SPDX-License-Identifier: Apache-2.0

import Orientation

/// When a buffer that was replaced by polling is tried again, and what it must show then.
package struct BufferTrials {
  /// Whether the buffer must first deliver some reports before its silence is trusted: it was silent while the sensor
  /// moved.
  var needProof = false
  /// The pause becomes longer each time, because a turn may be noticed late during a trial.
  private var pause = RetryBackoff(from: 10, upTo: 300)

  /// Creates the trials of a sensor whose buffer has not failed yet.
  package init() {}

  /// Records that the buffer was opened, and has shown what it must.
  mutating func succeeded(at now: BootTime) {
    pause.succeeded(at: now)
  }

  /// Until when to poll; nil if the buffer is not tried again before the sensor is opened again.
  mutating func nextTrial(after failure: SourceError, at now: BootTime) -> BootTime? {
    switch failure {
    // A buffer in use may be free a moment later, and a trial changes nothing that another program uses.
    case .silent, .noGravity, .malformed, .system, .busy: now.advanced(bySeconds: pause.next(at: now))
    default: nil
    }
  }
}
