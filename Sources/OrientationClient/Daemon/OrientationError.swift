// SPDX-License-Identifier: Apache-2.0

import Orientation
package import Systemd

/// An error of orientationd or of the message bus, by which D-Bus reports it.
public struct OrientationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What has failed.
  public enum Kind: Equatable, Sendable {
    /// The daemon is not installed, does not run, or has ended; or there is no message bus.
    case daemonUnavailable
    /// The daemon did not answer in time.
    case noAnswer
    /// There is no sensor, or it did not deliver in time.
    case sensorUnavailable
    /// The interface cannot have this orientation.
    case unsupportedOrientation
    /// The user may not do that.
    case notAuthorized
    /// The user could do that after authenticating, and the call did not allow that.
    case interactiveAuthorizationRequired
    /// This app, or all apps of the user together, requested more than the limit.
    case limitsExceeded
    /// An argument is no orientation, or a text that is empty, too long or not printable.
    case invalidArguments
    /// The task that waited for the answer was cancelled.
    case cancelled
    /// Another error, by its D-Bus name; for one of the system, libsystemd's, such as System.Error.EMFILE.
    case other(String)
  }

  /// What has failed.
  public let kind: Kind
  /// A text for people; may be empty.
  public let message: String

  /// Creates an error.
  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// Creates the error for one that D-Bus reports.
  package init(_ error: BusError) {
    self.init(kind: Kind(name: error.name), message: error.message)
  }

  /// The text for people.
  public var description: String {
    switch kind {
    case .daemonUnavailable: "orientationd does not run\(reason)"
    case .noAnswer: "orientationd does not answer\(reason)"
    default: message.isEmpty ? "\(kind)" : message
    }
  }

  private var reason: String { message.isEmpty ? "" : ": \(message)" }
}

extension OrientationError.Kind {
  fileprivate init(name: String) {
    self =
      switch name {
      case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected,
        "org.freedesktop.DBus.Error.NoServer", "org.freedesktop.DBus.Error.FileNotFound",
        // Its start took too long for the bus.
        "org.freedesktop.DBus.Error.TimedOut",
        // No bus, as libsystemd says it.
        "System.Error.ECONNREFUSED", "System.Error.ECONNRESET", "System.Error.EPIPE", "System.Error.ENOTCONN",
        "System.Error.ENOMEDIUM":
        .daemonUnavailable
      case let name where BusError.Name.isFailedStart(name): .daemonUnavailable
      case BusError.Name.noReply, BusError.Name.timeout: .noAnswer
      case ServiceErrorName.sensorUnavailable: .sensorUnavailable
      case ServiceErrorName.unsupportedOrientation: .unsupportedOrientation
      case BusError.Name.accessDenied: .notAuthorized
      case BusError.Name.interactiveAuthorizationRequired: .interactiveAuthorizationRequired
      case BusError.Name.limitsExceeded: .limitsExceeded
      case BusError.Name.invalidArguments: .invalidArguments
      default: .other(name)
      }
  }
}
