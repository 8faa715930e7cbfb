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
  ///   - reason: what for; nil is the name of the command, because every user can read the reason, and its arguments are
  ///     files and addresses of this user.
  init(orientations: InterfaceOrientationMask, command: [String], application: String?, reason: String?) {
    self.orientations = orientations
    let name = Self.name(of: command)
    self.application = application ?? name
    self.reason = reason ?? name
  }

  /// The command's name without its folder: printable, and cut between two characters to the length that the daemon accepts.
  private static func name(of command: [String]) -> String {
    // As Characters, a slash with a combining mark behind it would be none, and the folder a part of the name.
    let name = command.first?.unicodeScalars.split(separator: "/").last.map { String($0) } ?? ""
    var (fitting, count) = ("", 0)
    for character in name.printable {
      count += character.utf8.count
      guard count <= textLengths.upperBound else { break }
      fitting.append(character)
    }
    return fitting.isEmpty ? "orientationctl" : fitting
  }
}
