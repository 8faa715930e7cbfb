// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A call into libsystemd that failed.
public struct SystemdError: Error, ErrnoError, Equatable, CustomStringConvertible {
  /// The positive errno value.
  public let code: CInt
  /// The libsystemd function, or the D-Bus member, that failed.
  public let operation: String

  /// Creates an error from a positive errno value.
  public init(code: CInt, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The operation and the system's text for the code.
  public var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
