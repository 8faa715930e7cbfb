// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where notes go that are no part of the answer.
enum StandardError {
  /// Tells a person something, on a line of its own.
  static func tell(_ note: String) {
    // Nobody is left to tell if this fails.
    try? write("orientationctl: \(note)\n", to: STDERR_FILENO)
  }
}
