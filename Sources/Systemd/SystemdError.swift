// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A call into libsystemd that failed.
package struct SystemdError: Error, ErrnoError, Equatable, CustomStringConvertible {
  /// The positive errno value.
  package let code: CInt
  /// The libsystemd function, or the D-Bus member, that failed.
  package let operation: String

  /// Creates an error from a positive errno value.
  package init(code: CInt, operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The operation and the system's text for the code.
  package var description: String { "\(operation): \(String(cString: strerror(code)))" }
}
