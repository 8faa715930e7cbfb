// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What `orientationctl monitor --waybar` asks of the program that it becomes.
package struct WaybarRequest: Equatable, Sendable {
  /// Whether the daemon is on the session bus.
  package var isUserBus = false
  /// The number of lines to print, at least 1; nil is no limit.
  package var limit: Int?
  /// How long to run, in seconds; nil is no limit.
  package var seconds: Double?

  /// Creates a request.
  package init(isUserBus: Bool, limit: Int?, seconds: Double?) {
    (self.isUserBus, self.limit, self.seconds) = (isUserBus, limit, seconds)
  }

  /// Reads arguments; nil if there are others than those that orientationctl passes on.
  ///
  /// - Parameter words: the arguments, in any order.
  package init?(words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--user": isUserBus = true
      case "--count":
        guard let value = rest.popFirst().flatMap({ Int($0) }) else { return nil }
        limit = value
      case "--seconds":
        guard let value = rest.popFirst().flatMap({ Double(numeral: $0) }) else { return nil }
        seconds = value
      default: return nil
      }
    }
  }
}
