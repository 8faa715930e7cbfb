// SPDX-License-Identifier: Apache-2.0

package import IIO
package import SensorSetup
package import Systemd

/// Why the service cannot start or go on: the errors that end the process.
package enum ServiceError: Error, CustomStringConvertible {
  /// The configuration file that was named cannot be read.
  case configuration(ConfigurationProblem)
  /// There is no bus to serve on.
  case noBus(Bus.Address, BusError)
  /// The bus name cannot be acquired.
  case noName(RequestNameError)
  /// The object cannot be put on the bus.
  case bus(BusError)
  /// The event loop cannot be created or run.
  case loop(SystemdError)
  /// The connection to the bus has ended.
  case busLost
  /// The sampler thread cannot be started.
  case sampler(SourceError)

  /// What happened and what to do.
  package var description: String {
    switch self {
    case .configuration(let problem): "configuration \(problem)"
    case .noBus(.system, let error), .noBus(.address, let error):
      "cannot connect to the system bus: \(error.message); is dbus running? (--user serves on the session bus)"
    case .noBus(.session, let error):
      "cannot connect to the session bus: \(error.message); is DBUS_SESSION_BUS_ADDRESS set?"
    case .noName(.refused(let name)):
      "the policy of the bus does not let this user own \(name); run as the user of the installed policy, or use --user"
    case .noName(let error): "\(error); only one orientationd can serve a bus"
    case .bus(let error): "the bus does not work: \(error)"
    case .busLost: "the connection to the bus has ended"
    case .loop(let error): "the event loop does not work: \(error)"
    case .sampler(let error): "the sampler thread cannot be started: \(error)"
    }
  }
}

extension ServiceError {
  /// Runs `body`, and converts what it throws by `wrap`.
  static func wrapping<Value: ~Copyable, Failure: Error>(
    _ wrap: (Failure) -> ServiceError, _ body: () throws(Failure) -> Value
  ) throws(ServiceError) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      throw wrap(error)
    }
  }
}
