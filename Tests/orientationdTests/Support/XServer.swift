// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A screen in memory: Xvfb.
final class XServer {
  private let process: ChildProcess
  private let folder: TemporaryFolder

  /// Its name, such as `:99`.
  let display: String

  /// The file with what it shows, in the format of xwd.
  var picture: String { "\(folder.path)/Xvfb_screen0" }

  /// Starts it under a number that is free.
  init() throws {
    folder = try TemporaryFolder()
    process = try ChildProcess(
      "Xvfb",
      ["-displayfd", "1", "-fbdir", folder.path, "-screen", "0", "800x600x24", "-nolisten", "tcp"])
    try wait(for: "Xvfb") { [process] in process.output.contains("\n") || !process.isRunning }
    guard let number = process.lines.first else { throw GaveUp(description: "Xvfb: \(process.errors)") }
    display = ":\(number)"
  }
}
