// SPDX-License-Identifier: Apache-2.0

import CLinux

/// What keeps a state from being saved, or from being looked for.
package struct StateFileError: Error, Equatable, CustomStringConvertible {
  /// What could not be done.
  package enum Step: String, Sendable {
    /// Opening the folder.
    case opening = "cannot be opened"
    /// Keeping other processes from the folder for the moment.
    case locking = "is in use by another process"
    /// Removing what an earlier process has left behind.
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
  /// What it could not be done to.
  package let path: String
  /// The errno.
  package let code: CInt

  /// The path, the step and the system's words for the errno.
  package var description: String {
    "\(path): \(step.rawValue): \(String(cString: strerror(code)))"
  }
}
