// SPDX-License-Identifier: Apache-2.0

/// systemd-logind on the bus.
enum Logind {
  /// Its bus name.
  static let service = "org.freedesktop.login1"
}
