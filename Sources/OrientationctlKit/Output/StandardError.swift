// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// Where notes go that are no part of the answer.
enum StandardError {
  /// Tells a person something, on a line of its own, whatever names are in it.
  static func tell(_ note: String) {
    // Nobody is left to tell if this fails.
    try? write("orientationctl: \(note.printable)\n", to: STDERR_FILENO)
  }
}
