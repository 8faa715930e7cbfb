// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a test waited for did not come about.
package struct GaveUp: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// How long a test waits for anything: far longer than anything takes, so that only what hangs runs into it.
package let patience = Duration.seconds(60)

/// Waits until something holds.
///
/// - Parameters:
///   - what: what is waited for, for the failure's text.
///   - pause: spends a moment between two looks.
///   - holds: looks.
/// - Throws: ``GaveUp``, or what `holds` or `pause` throws.
package func wait(
  for what: String, pause: () throws -> Void = { usleep(5_000) }, until holds: () throws -> Bool
) throws {
  let end = ContinuousClock.now + patience
  while try !holds() {
    guard ContinuousClock.now < end else { throw GaveUp(description: "in vain: \(what)") }
    try pause()
  }
}
