// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time on the boot clock, in nanoseconds.
var bootTime: Int64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// What a test waited for did not come about.
struct GaveUp: Error, CustomStringConvertible {
  let description: String
}

/// How long a test waits for anything: far longer than anything takes, so that only what hangs runs into it.
let patience = Duration.seconds(30)

/// Waits until something holds.
///
/// - Parameters:
///   - what: what is waited for, for the failure's text.
///   - pause: spends a moment between two looks.
///   - holds: looks.
/// - Throws: ``GaveUp``, or what `holds` or `pause` throws.
func wait(
  for what: String, pause: () throws -> Void = { usleep(5_000) }, until holds: () throws -> Bool
) throws {
  let end = ContinuousClock.now + patience
  while try !holds() {
    guard ContinuousClock.now < end else { throw GaveUp(description: "in vain: \(what)") }
    try pause()
  }
}
