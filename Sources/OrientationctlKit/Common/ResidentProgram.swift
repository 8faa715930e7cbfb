// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import IIO
import Systemd

/// A program that a command becomes because it runs as long as a session: it needs a fraction of this one's memory.
struct ResidentProgram {
  /// Where it may be, as seen from the folder of orientationctl: where both are built, and where they are installed, also by distributions
  /// without libexec.
  private static let folders = [".", "../libexec", "../lib/orientationd"]

  /// The name of the file.
  let name: String
  /// The package that has it.
  let package: String

  /// Replaces this process by the program.
  ///
  /// - Parameter words: its arguments.
  /// - Throws: ``CommandError`` if it is not installed, or cannot be executed.
  func become(_ words: [String]) throws(CommandError) -> Never {
    guard let path else {
      throw CommandError(
        "\(name) is not installed; it is in the package \(package) (Debian: sudo apt install \(package))")
    }
    var arguments = ([name] + words).map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    execv(path, &arguments)
    throw CommandError("cannot execute \(path.printable): \(String(cString: strerror(errno)))")
  }

  private var path: String? {
    // That of this executable, not of a link to it.
    guard let own = canonicalPath("/proc/self/exe").map(folder) else { return nil }
    return Self.folders.map { "\(own)/\($0)/\(name)" }.first { access($0, F_OK) == 0 }
  }
}
