// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// A D-Bus error: one that a peer answered, one that a method throws as its answer, or one of sd-bus itself.
package struct BusError: Error, ErrnoError, Equatable, CustomStringConvertible {
  /// The D-Bus error name, such as `org.freedesktop.DBus.Error.NoReply`.
  package let name: String
  /// A text for people; may be empty.
  package let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - name: A valid D-Bus error name: at least two elements with dots between.
  ///   - message: A text for people.
  package init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// Creates the error that D-Bus has for an errno value.
  ///
  /// - Parameters:
  ///   - code: The positive errno value.
  ///   - operation: What failed.
  package init(code: CInt, operation: String) {
    var error = sd_bus_error()
    sd_bus_error_set_errno(&error, code)
    defer { sd_bus_error_free(&error) }
    name = error.name.map { String(cString: $0) } ?? Name.failed
    message = SystemdError(code: code, operation: operation).description
  }

  /// Runs `body`, and converts what it throws.
  ///
  /// - Parameter body: Such as one that makes a timer.
  /// - Returns: What the body returns.
  /// - Throws: `BusError`.
  package static func wrapping<Value: ~Copyable>(
    _ body: () throws(SystemdError) -> Value
  ) throws(BusError) -> Value {
    do throws(SystemdError) {
      return try body()
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
  }

  /// Converts sd-bus's error of a failed call.
  init(_ error: sd_bus_error, code: CInt, operation: StaticString) {
    guard let name = error.name else {
      self.init(code: code, operation: operation.description)
      return
    }
    self.init(
      name: String(cString: name), message: error.message.map { String(cString: $0) } ?? "")
  }

  /// The positive errno value nearest to the name; EIO for names that sd-bus does not know.
  package var code: CInt {
    name.withCString { name in
      var error = sd_bus_error(name: name, message: nil, _need_free: 0)
      return sd_bus_error_get_errno(&error)
    }
  }

  /// The text for people, and the name.
  package var description: String { message.isEmpty ? name : "\(message) (\(name))" }

  /// Names of the standard errors.
  package enum Name {
    /// Something failed for which there is no better name.
    package static var failed: String { SD_BUS_ERROR_FAILED }
    /// An argument is wrong.
    package static var invalidArguments: String { SD_BUS_ERROR_INVALID_ARGS }
    /// The caller may not do that.
    package static var accessDenied: String { SD_BUS_ERROR_ACCESS_DENIED }
    /// The caller could do that after authenticating, but has not allowed asking the user.
    package static var interactiveAuthorizationRequired: String {
      SD_BUS_ERROR_INTERACTIVE_AUTHORIZATION_REQUIRED
    }
    /// Too much of something is in use.
    package static var limitsExceeded: String { SD_BUS_ERROR_LIMITS_EXCEEDED }
    /// The peer did not answer, in time or at all.
    package static var noReply: String { SD_BUS_ERROR_NO_REPLY }
    /// It took too long.
    package static var timeout: String { SD_BUS_ERROR_TIMEOUT }
    /// The connection is gone.
    package static var disconnected: String { SD_BUS_ERROR_DISCONNECTED }
    /// The destination's name has no owner, and no service can be started for it.
    package static var serviceUnknown: String { SD_BUS_ERROR_SERVICE_UNKNOWN }
    /// The name has no owner.
    package static var nameHasNoOwner: String { SD_BUS_ERROR_NAME_HAS_NO_OWNER }
    /// There is no such object.
    package static var unknownObject: String { SD_BUS_ERROR_UNKNOWN_OBJECT }

    /// Whether it says that the bus or systemd could not start a service: it is not installed, masked, or broken.
    package static func isFailedStart(_ name: String) -> Bool {
      name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1.")
    }
  }

  /// Passes the error to sd-bus, which answers the caller with it.
  ///
  /// - Returns: What a C callback has to return then.
  func store(in error: UnsafeMutablePointer<sd_bus_error>?) -> CInt {
    sd_bus_error_set(error, name, message)
  }
}
