// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Systemd

extension HoldRequest {
  /// How many bytes the daemon accepts as an application, or as a reason.
  static let textLengths = 1...255

  /// Creates the request of `orientationctl hold`.
  ///
  /// - Parameters:
  ///   - orientations: the orientations to hold the interface to.
  ///   - command: the command that runs meanwhile.
  ///   - application: who holds; nil is the name of the command.
  ///   - reason: what for; nil is the name of the command, because every user can read the reason, and its arguments are
  ///     files and addresses of this user.
  init(orientations: InterfaceOrientationMask, command: [String], application: String?, reason: String?) {
    let name = Self.name(of: command)
    self.init(
      orientations: orientations, application: application ?? name, reason: reason ?? name,
      authorization: .ofTerminal)
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
