// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// polkit as a test wants it to be, on a private bus: Tests/MockPolkit by python-dbusmock.
final class MockPolkit {
  private let bus: PrivateBus
  private let process: Program

  /// Starts it.
  ///
  /// - Parameters:
  ///   - bus: where.
  ///   - behaviour: what it does with questions: "allow", "deny", "challenge", or others of the template.
  init(on bus: PrivateBus, _ behaviour: String) {
    self.bus = bus
    let template = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../MockPolkit/polkit.py").standardized.path
    // Debian's own Python has Debian's dbusmock; another in the path has not.
    let process = bus.start(["/usr/bin/python3", "-m", "dbusmock", "--template", template])
    self.process = process
    waitUntil("polkit") { control("Behave", "s", behaviour).end() == 0 }
  }

  /// What it was asked, in the words of the template: its fields, and quotes around each.
  var questions: String { control("Questions").output }

  private func control(_ arguments: String...) -> Program {
    let program = bus.start(
      [
        "busctl", "--system", "--auto-start=no", "call", "org.freedesktop.PolicyKit1",
        "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.DBus.Mock",
      ] + arguments)
    program.end()
    return program
  }
}
