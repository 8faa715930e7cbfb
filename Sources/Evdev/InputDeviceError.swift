// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why an input device cannot be opened or read.
package enum InputDeviceError: Error, Equatable, Sendable {
  /// The device is gone: unplugged, or its driver unbound (ENODEV, ENXIO; ENOENT for its node).
  case vanished(path: String)
  /// This user may not open the device (EACCES, EPERM).
  case permissionDenied(path: String)
  /// A system call failed with this errno.
  case system(operation: String, path: String, code: CInt)

  init(code: CInt, operation: String, path: String) {
    switch code {
    case ENODEV, ENXIO, ENOENT: self = .vanished(path: path)
    case EACCES, EPERM: self = .permissionDenied(path: path)
    default: self = .system(operation: operation, path: path, code: code)
    }
  }
}

extension InputDeviceError: CustomStringConvertible {
  /// One sentence for the journal, naming the device and what is wrong.
  package var description: String {
    switch self {
    case .vanished(let path): "\(path): the device is gone"
    case .permissionDenied(let path): "\(path): permission denied"
    case .system(let operation, let path, let code):
      "\(path): \(operation): \(String(cString: strerror(code)))"
    }
  }
}
