// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import Systemd

/// The program that turns the screen.
struct FollowProgram {
  /// Where it may be, as seen from the folder of orientationctl: where both are built, and where they are installed.
  private static let folders = [".", "../libexec"]

  /// Replaces this process by the program.
  ///
  /// - Throws: ``CommandError`` if it is not installed, or cannot be executed.
  func become(_ request: FollowRequest) throws(CommandError) -> Never {
    guard let path else {
      throw CommandError(
        "\(FollowRequest.program) is not installed; it is in the package orientationctl-follow "
          + "(Debian: sudo apt install orientationctl-follow)")
    }
    var words = ([FollowRequest.program] + request.words).map { strdup($0) } + [nil]
    execv(path, &words)
    throw CommandError("cannot execute \(path.printable): \(String(cString: strerror(errno)))")
  }

  private var path: String? {
    guard let folder = Self.ownFolder else { return nil }
    return Self.folders.map { "\(folder)/\($0)/\(FollowRequest.program)" }.first { access($0, F_OK) == 0 }
  }

  /// The folder of this executable, not of a link to it.
  private static var ownFolder: String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let words = String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
    return words.dropLast().joined(separator: "/")
  }
}
