// SPDX-License-Identifier: Apache-2.0

import DaemonClient

/// Whether the daemon can be used.
public enum DaemonState: Equatable, Sendable {
  /// The app has not needed it yet.
  case notContacted
  /// It was called, and has not answered yet.
  case connecting
  /// It answers.
  case running
  /// It does not run, or refuses this app, for this reason; it is used as soon as it starts.
  case unavailable(OrientationError)
}

/// All that the daemon has sent.
struct DaemonSnapshot: Equatable, Sendable {
  var state = DaemonState.notContacted
  /// Whether the daemon has sent all properties.
  var isRead = false
  var device = DeviceSnapshot()
  var screen = ScreenSnapshot()
}
