// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Systemd

/// A wrong command line.
package struct UsageError: Error, Equatable {
  /// What is wrong, and what would be right.
  package let reason: String
}

/// What the command line asks of the daemon.
package struct Options: Equatable {
  /// `--user`: the session bus instead of the system bus.
  package var bus = Bus.Address.system
  /// `--sensor`: goes before the configuration's `Sensor=`.
  package var sensor: SensorRequest?
  /// `--config`: this file alone instead of the system's configuration.
  package var configurationPath: String?
  /// `--state`: the folder of the saved state; goes before the service manager's `STATE_DIRECTORY`.
  package var stateFolder: String?
  /// `--verbose`: the steps that orientationd(8) lists are logged, too.
  package var isVerbose = false

  /// What to do.
  package enum Invocation: Equatable {
    /// Serve.
    case serve(Options)
    /// Print for udev how the panels of this graphics card are mounted.
    case panels(card: String)
    /// Print the version.
    case version
    /// Print the help.
    case help
  }

  /// The text of `--help`.
  package static let help = """
    orientationd - tell the desktop which way up the tablet is held

    Usage: orientationd [OPTION]...

      --user             serve on the session bus instead of the system bus
      --sensor SENSOR    where samples come from:
                           auto          the display's accelerometer (default)
                           NAME          the accelerometer of this name, label, IIO id or sysfs path
                           replay:FILE   a recording: CSV with columns t_s,ax,ay,az in m/s^2
                           simulated     a simulated tablet that is turned through six poses
                           ip:HOST       the accelerometer of an iiod on another machine
                           iio:URI       the same, by any URI of libiio
      --config FILE      read only this file, instead of orientationd.conf and its drop-ins
      --state DIR        save what people have set, above all the rotation lock, in this folder,
                         so that it survives restarts
      --verbose          also log orientations, the rotation lock, clients and sessions
      --panels CARD      print how the panels of the graphics card are mounted, for udev, and exit
      --version          print the version and exit
      --help             print this help and exit

    See orientationd(8) and orientationd.conf(5).
    """

  /// Reads the command line.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  /// - Returns: what to do.
  /// - Throws: ``UsageError``
  package static func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Invocation {
    var options = Options()
    var words = arguments.makeIterator()
    while let word = words.next() {
      var inline: String?
      var name = word
      if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
        name = String(word[..<equals])
        inline = String(word[word.index(after: equals)...])
      }
      func value(_ what: String) throws(UsageError) -> String {
        guard let value = inline ?? words.next(), !value.isEmpty else {
          throw UsageError(reason: "\(name) needs a value: \(name) \(what)")
        }
        inline = nil
        return value
      }
      switch name {
      case "--user": options.bus = .session
      case "--verbose": options.isVerbose = true
      case "--version", "--help", "-h":
        if inline == nil { return name == "--version" ? .version : .help }
      case "--panels": return .panels(card: try value("CARD"))
      case "--config": options.configurationPath = try value("FILE")
      case "--state": options.stateFolder = try value("DIR")
      case "--sensor": options.sensor = try sensor(try value("SENSOR"))
      default:
        throw UsageError(
          reason: word.hasPrefix("-") ? "unknown option '\(word)'" : "unexpected argument '\(word)'")
      }
      if inline != nil { throw UsageError(reason: "\(name) takes no value") }
    }
    return .serve(options)
  }

  private static func sensor(_ text: String) throws(UsageError) -> SensorRequest {
    guard let sensor = SensorRequest(parsing: text) else {
      throw UsageError(
        reason: "--sensor takes auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI, not '\(text)'")
    }
    return sensor
  }
}
