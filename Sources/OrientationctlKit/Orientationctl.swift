// SPDX-License-Identifier: Apache-2.0

// orientationctl asks the daemon what it says (status, monitor), has it rotate and lock the screen (lock, unlock, toggle,
// rotate, supported), shows by the daemon's own code what it would do (sensors, record, classify), and finds out how the sensor
// is mounted (calibrate).

public import ArgumentParser
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// The tool.
public struct Orientationctl: ParsableCommand {
  /// Its name, its help, and its subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "orientationctl",
    abstract: "Ask orientationd which way up the tablet is held, and lock or rotate its screen.",
    discussion: """
      Orientations have UIKit's names. Those of the device: portrait (top edge up), portraitUpsideDown (top edge down), \
      landscapeLeft (right edge up), landscapeRight (left edge up), faceUp, faceDown, and unknown. Those of the \
      interface, which the screen shows, have the landscapes swapped: on a device in landscapeLeft, the upright \
      interface is in landscapeRight.

      Exit status: 0 for success, 1 if something failed, 64 if the command line is wrong.
      """,
    version: "orientationctl \(orientationdVersion)",
    subcommands: [
      StatusCommand.self, MonitorCommand.self, LockCommand.self, UnlockCommand.self, ToggleCommand.self,
      RotateCommand.self, SupportedCommand.self, SensorsCommand.self, CalibrateCommand.self,
      RecordCommand.self,
      ClassifyCommand.self,
    ])

  /// A command line without a subcommand.
  public init() {}

  /// Does what the command line asks for; what goes wrong is told here, and nothing in it does anything to the terminal.
  public static func main() {
    main { try $0.run() }
  }

  /// The same, with commands that are run in a way of the caller's.
  static func main(running run: (inout any ParsableCommand) throws -> Void) {
    do {
      var command = try parseAsRoot()
      try run(&command)
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    let told: any Error
    switch error {
    // Sentences with names in them; the errors of command lines, and our own, have lines.
    case let error as SourceError: told = CommandError(error.printable)
    case let error as MountMatrixError: told = CommandError(error.printable)
    default: told = error
    }
    // A help text, a completion script.
    guard !exitCode(for: told).isSuccess else { exit(withError: told) }
    let message = fullMessage(for: told)
    if !message.isEmpty { try? write("\(message.printableLines)\n", to: STDERR_FILENO) }
    Glibc.exit(exitCode(for: told).rawValue)
  }
}
