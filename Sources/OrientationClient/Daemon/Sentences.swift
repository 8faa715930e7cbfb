// SPDX-License-Identifier: Apache-2.0

// Errors as sentences for people, and texts of the daemon that they can read.

import Systemd

extension String {
  /// A text of the daemon, on one line, as long as a person reads it.
  package var shown: String {
    let text = prefix(300)
    return (text.utf8.count < utf8.count ? "\(text)…" : String(text)).printable
  }

  /// The same with its first letter large.
  package var withLargeFirstLetter: String { prefix(1).uppercased() + dropFirst() }
}

extension OrientationError {
  /// The error, for a person.
  package var sentence: String {
    switch kind {
    case .daemonUnavailable: "the service orientationd does not run."
    case .noAnswer: "the service orientationd does not answer."
    case .notAuthorized, .interactiveAuthorizationRequired: "this session has no permission for it."
    case .sensorUnavailable: "there is no sensor that works."
    default: "\(self)".shown
    }
  }
}
