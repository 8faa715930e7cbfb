// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import IIO
import Orientation
import SensorSetup
import Systemd

/// How the daemon says that its accelerometer is mounted, and the calls that change it.
final class DaemonMounting {
  private let bus: Bus
  private let options: BusOptions

  /// Connects to the bus, which starts the daemon at the first call if it does not run.
  ///
  /// A preview lasts at most as long as this.
  init(options: BusOptions) throws(CommandError) {
    bus = try options.connect()
    self.options = options
  }

  /// What the daemon says of its sensor.
  func sensor() throws(CommandError) -> DeviceSnapshot {
    try asking { () throws(BusError) in
      try DeviceSnapshot(from: try bus.call(.allProperties(of: DBusNames.sensorInterface)))
    }
  }

  /// What the daemon says of the screen.
  func screen() throws(CommandError) -> ScreenSnapshot {
    try asking { () throws(BusError) in
      try ScreenSnapshot(from: try bus.call(.allProperties(of: DBusNames.screenInterface)))
    }
  }

  /// Makes a call that changes which matrix is in use.
  ///
  /// - Throws: ``CommandError`` with the daemon's reason.
  func change(by call: DaemonCall) throws(CommandError) {
    _ = try asking { () throws(BusError) in try bus.call(call) }
  }

  private func asking<Answer: ~Copyable>(
    _ ask: () throws(BusError) -> Answer
  ) throws(CommandError) -> Answer {
    do throws(BusError) {
      return try ask()
    } catch {
      switch error.name {
      case ServiceErrorName.mountMatrixConfigured, ServiceErrorName.sensorUnavailable,
        BusError.Name.invalidArguments:
        throw CommandError(error.message.printable)
      default: throw CommandError(error, options: options)
      }
    }
  }
}

extension BusOptions {
  /// What a daemon that runs says of its sensor; nil if none runs and answers.
  ///
  /// It is not started.
  var runningDaemon: DeviceSnapshot? {
    do {
      let connection = try connect()
      guard try connection.owner(of: DBusNames.service) != nil else { return nil }
      return try DeviceSnapshot(
        from: try connection.call(.allProperties(of: DBusNames.sensorInterface), forSeconds: 1))
    } catch {
      return nil
    }
  }
}

extension DeviceSnapshot {
  /// The matrix that a person has set for this sensor and that the daemon uses; nil if it uses another sensor or another matrix.
  func matrixSet(for sensor: SensorDescription) -> Mounting.Candidate? {
    guard sensorName == sensor.displayName, let source = matrixSource, source.isSet else { return nil }
    return (try? MountMatrix(parsing: mountMatrix)).map { Mounting.Candidate(matrix: $0, source: source) }
  }
}
