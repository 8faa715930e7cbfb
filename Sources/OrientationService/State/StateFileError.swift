// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a state could not be saved or read.
package struct StateFileError: Error, Equatable, CustomStringConvertible {
  /// What could not be done.
  package enum Step: String, Sendable {
    /// Opening the folder.
    case opening = "cannot be opened"
    /// Locking the folder against other processes.
    case locking = "is in use by another process"
    /// Removing a file that an earlier process has left.
    case removing = "cannot be removed"
    /// Creating the temporary file.
    case creating = "cannot be created"
    /// Writing the temporary file.
    case writing = "cannot be written"
    /// Waiting until a file or the folder is on the disk (fsync).
    case flushing = "cannot be flushed to the disk"
    /// Putting one file in the place of another.
    case renaming = "cannot be renamed"
  }

  /// What could not be done.
  package let step: Step
  /// The file or folder.
  package let path: String
  /// The errno.
  package let code: CInt

  /// The path, the step and the system's text for the errno.
  package var description: String {
    "\(path): \(step.rawValue): \(String(cString: strerror(code)))"
  }
}
