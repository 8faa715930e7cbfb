// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// What a driver or a disk does instead of what it is asked for.
struct DriverFault: Sendable, CustomStringConvertible {
  /// A call that reaches it.
  enum Call: String {
    case open, read, write, fsync, send
  }

  /// What comes of it.
  enum Outcome {
    /// It fails with this errno.
    case fails(Int32)
    /// It takes so long first.
    case takes(milliseconds: Int)
    /// It does not return as long as this fault is there.
    case isHeld
    /// A read brings, or a send takes, so many bytes at the most.
    case brings(bytes: Int)

    /// It never returns, as far as a test can tell.
    static let hangs = Outcome.takes(milliseconds: 1_000_000)
  }

  let call: Call
  /// How the path of the file ends.
  let file: String
  let outcome: Outcome

  init(_ call: Call, _ file: String, _ outcome: Outcome) {
    (self.call, self.file, self.outcome) = (call, file, outcome)
  }

  var description: String {
    switch outcome {
    case .fails(let code): "\(call) \(file) fail \(code)"
    case .takes(let milliseconds): "\(call) \(file) delay \(milliseconds)"
    case .isHeld: "\(call) \(file) hold 2"
    case .brings(let bytes): "\(call) \(file) limit \(bytes)"
    }
  }
}

/// The faults that a daemon's drivers and disk have at present (Tests/Support/CDriverFaults), which a test changes while it runs.
final class DriverFaults {
  /// As Tests/Support/CDriverFaults has it.
  private static let size = 4096

  private let folder: TemporaryFolder
  private let path: String

  init(_ faults: [DriverFault] = []) throws {
    folder = try TemporaryFolder()
    path = try folder.write(Self.text(of: faults), to: "faults")
  }

  /// What the daemon must have in its environment; it replaces that of a mock kernel.
  var environment: [String: String] {
    let library = "\(BuiltPrograms.folder)/libdriver-faults.so"
    return ["LD_PRELOAD": "\(library) libumockdev-preload.so.0", "DRIVER_FAULTS": path]
  }

  /// The faults from here on; none ends them.
  func set(_ faults: [DriverFault]) {
    let file = open(path, O_WRONLY)
    defer { close(file) }
    // In one write: who reads meanwhile sees the old ones or these.
    _ = pwrite(file, Self.text(of: faults), Self.size, 0)
  }

  private static func text(of faults: [DriverFault]) -> String {
    let lines = faults.map { "\($0)\n" }.joined()
    return lines + String(repeating: "\0", count: size - lines.utf8.count)
  }
}
