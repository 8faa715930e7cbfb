// SPDX-License-Identifier: Apache-2.0

// orientationctl shows the state of the daemon (status, monitor) and the readings of motion sensors (motion), turns the screen of a compositor (follow), locks and rotates the screen (lock, unlock, toggle, rotate,
// supported, hold), uses the daemon's own code to show what the daemon would do (sensors, record, classify), and finds out how the
// sensor is mounted (calibrate).

package import ArgumentParser
import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// The command line tool.
package struct Orientationctl: ParsableCommand {
  /// The name, the help and the subcommands.
  package static let configuration = CommandConfiguration(
    commandName: "orientationctl",
    abstract: "Ask orientationd which way up the tablet is held, and lock or rotate its screen.",
    discussion: """
      Orientations have UIKit's names. Those of the device: portrait (top edge up), portraitUpsideDown (top edge down), \
      landscapeLeft (right edge up), landscapeRight (left edge up), faceUp, faceDown, and unknown. (If the panel is \
      wider than high, as on most 2-in-1s, landscapeLeft has the top edge up.) Those of the interface, which the screen \
      shows, have the landscapes swapped: on a device in landscapeLeft, the upright interface is in landscapeRight.

      --user and --json can be written before the command, too.

      Exit status: 0 for success, 1 if something failed, 64 if the command line is wrong; "follow" may \
      also exit with 69, and "hold" exits as its command does.
      """,
    version: "orientationctl \(orientationdVersion)",
    subcommands: [
      StatusCommand.self, MonitorCommand.self, FollowCommand.self, LockCommand.self, UnlockCommand.self,
      ToggleCommand.self, RotateCommand.self, SupportedCommand.self, HoldCommand.self, MotionCommand.self,
      SensorsCommand.self,
      CalibrateCommand.self,
      RecordCommand.self,
      ClassifyCommand.self,
    ])

  /// Creates a command line without a subcommand.
  package init() {}

  /// Runs the command line of this process.
  ///
  /// Prints an error, in which control characters are escaped, and exits.
  package static func main() {
    main { try $0.run() }
  }

  /// Does the same, but the caller runs the command: a test can pass other parameters to it.
  static func main(running run: (inout any ParsableCommand) throws -> Void) {
    reserveStandardDescriptors()
    do {
      let words = CommandWords(
        HeldWords().own, commands: configuration.subcommands.compactMap { $0.configuration.commandName })
      try words.refuseMisspelling()
      var command = try parseAsRoot(words.arguments)
      try run(&command)
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    let shown: any Error
    switch error {
    // One line each, with names from outside. The errors of ArgumentParser and CommandError can have more lines.
    case let error as SourceError: shown = CommandError(error.printable)
    case let error as MountMatrixError: shown = CommandError(error.printable)
    default: shown = error
    }
    let message = fullMessage(for: shown)
    // ArgumentParser throws help texts and completion scripts as errors with exit code 0.
    if exitCode(for: shown).isSuccess {
      do throws(OutputError) {
        if !message.isEmpty { try write("\(message)\n", to: STDOUT_FILENO) }
        Glibc.exit(EXIT_SUCCESS)
      } catch {
        end(with: error)
      }
    }
    if !message.isEmpty { Report.fail(message) }
    Glibc.exit((shown as? CommandError)?.exitStatus ?? exitCode(for: shown).rawValue)
  }
}
