// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a state could not be saved or read.
package struct StateFileError: Error, Equatable, CustomStringConvertible {
  /// The file or folder.
  package let path: String
  /// What could not be done, after the path: "cannot be opened".
  package let problem: String
  /// The errno.
  package let code: CInt

  /// The path, the problem and the system's text for the errno.
  package var description: String { "\(path): \(problem): \(String(cString: strerror(code)))" }
}

/// Why a file is not a saved state.
package enum StateFileDefect: Error, Equatable, CustomStringConvertible {
  /// It begins like a state, but its end is missing, as after a power cut on a file system that reorders writes.
  case cutOff
  /// It is something else, or was changed.
  case foreign
  /// A line among what version 2 has added is not as it is written; the state of the others.
  case wrongLine(rest: SavedState)
  /// A later version of the daemon wrote it, in this version of the format.
  case newerVersion(Int)
  /// It is larger than any state.
  case tooLarge
  /// It is a directory, a symbolic link, a FIFO or another special file.
  case notRegular
  /// It cannot be read, with this errno.
  case unreadable(code: CInt)

  /// What is wrong, as the end of a sentence about the file.
  package var description: String {
    switch self {
    case .cutOff: "is cut off"
    case .foreign: "is not a state as this service writes it"
    case .wrongLine: "has a line that is not as this service writes it"
    case .newerVersion(let version): "has version \(version), of a later orientationd"
    case .tooLarge: "is larger than \(StateFolder.largestFile) bytes"
    case .notRegular: "is no regular file"
    case .unreadable(let code): "cannot be read: \(String(cString: strerror(code)))"
    }
  }
}
