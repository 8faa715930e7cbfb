// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd

/// polkit as a test wants it to be, by python-dbusmock in a process of its own.
package final class MockPolkit {
  private let process: ChildProcess
  private let bus: Bus

  /// What polkit does with a question.
  package enum Behaviour: CustomStringConvertible {
    case allow
    case deny
    case challenge
    /// It does not answer.
    case hang
    /// It answers with an error of this name.
    case error(String)
    /// It answers with something else than its interface says.
    case malformed(String)

    /// Its name in the template.
    package var description: String {
      switch self {
      case .allow: "allow"
      case .deny: "deny"
      case .challenge: "challenge"
      case .hang: "hang"
      case .error(let name): "error \(name)"
      case .malformed(let how): "malformed: \(how)"
      }
    }
  }

  /// Starts it.
  ///
  /// - Parameters:
  ///   - privateBus: where.
  ///   - behaviour: what it does with questions.
  /// - Throws: ``GaveUp`` if it does not come up.
  package init(on privateBus: PrivateBus, _ behaviour: Behaviour) throws {
    let template = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../MockPolkit/polkit.py").standardized.path
    // Debian's own Python has Debian's dbusmock; another in the path has not.
    process = try privateBus.start("/usr/bin/python3", ["-m", "dbusmock", "--template", template])
    bus = try Bus.open(.address(privateBus.address))
    do {
      try wait(for: "polkit on the bus") {
        try !process.isRunning || bus.owner(of: "org.freedesktop.PolicyKit1") != nil
      }
      try behave(behaviour)
    } catch {
      throw GaveUp(description: "\(error)\n\(process.errors)")
    }
  }

  /// Changes what it does with further questions.
  package func behave(_ behaviour: Behaviour) throws {
    _ = try control("Behave") { call throws(BusError) in try call.append(behaviour.description) }
  }

  /// Answers yes to every question that hangs, the last one first.
  package func allowLastFirst() throws { _ = try control("AllowLastFirst") }

  /// Changes what it does with further questions, and signals that.
  package func change(to behaviour: Behaviour) throws {
    try behave(behaviour)
    _ = try control("Change")
  }

  /// What it was asked.
  package var questions: [Question] {
    get throws { try control("Questions").readStrings().map(Question.init) }
  }

  /// The cancellation ids of the questions that were taken back.
  package var cancelled: [String] {
    get throws { try control("Cancelled").readStrings() }
  }

  /// Ends it, as a crash would.
  package func end() throws {
    process.send(SIGKILL)
    try process.exitCode()
  }

  private func control(
    _ method: String, _ arguments: (borrowing Message) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> Message {
    let call = try bus.methodCall(
      destination: "org.freedesktop.PolicyKit1", path: "/org/freedesktop/PolicyKit1/Authority",
      interface: "org.freedesktop.DBus.Mock", member: method)
    try arguments(call)
    return try bus.call(call)
  }

  /// A question to polkit.
  package struct Question: Equatable {
    package let subjectKind: String
    package let subjectName: String
    package let action: String
    package let detailCount: String
    package let flags: String
    package let cancellation: String

    fileprivate init(_ text: String) {
      let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      (subjectKind, subjectName, action) = (words[0], words[1], words[2])
      (detailCount, flags, cancellation) = (words[3], words[4], words[5])
    }
  }
}
