// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// What is asked of the daemon.
struct HoldRequest {
  /// How many bytes the daemon accepts as an application, or as a reason.
  static let textLengths = 1...255

  /// The orientations to hold the interface to.
  let orientations: InterfaceOrientationMask
  /// Who holds, for people.
  let application: String
  /// What for, for people.
  let reason: String

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - orientations: the orientations to hold the interface to.
  ///   - command: the command that runs meanwhile.
  ///   - application: who holds; nil is the name of the command.
  ///   - reason: what for; nil is the command line.
  init(orientations: InterfaceOrientationMask, command: [String], application: String?, reason: String?) {
    self.orientations = orientations
    let name = command.first?.split(separator: "/").last.map(String.init) ?? ""
    self.application = application ?? Self.fitting(name)
    self.reason = reason ?? Self.fitting(command.joined(separator: " "))
  }

  /// The printable text, cut between two characters to the length that the daemon accepts.
  private static func fitting(_ text: String) -> String {
    var (fitting, count) = ("", 0)
    for character in text.printable {
      count += character.utf8.count
      guard count <= textLengths.upperBound else { break }
      fitting.append(character)
    }
    return fitting.isEmpty ? "orientationctl" : fitting
  }
}
