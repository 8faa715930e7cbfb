// SPDX-License-Identifier: Apache-2.0

// This folder: what several commands share. Options (--user, --config, --json), what the daemon refuses, in words for
// people, and the words for the screen's state and for axes.

import ArgumentParser
import Glibc
import Systemd

/// `--user`, for the commands that talk to the daemon.
struct BusOptions: ParsableArguments {
  @Flag(name: .customLong("user"), help: "Use the session bus, where orientationd --user serves.")
  var isUser = false

  /// The name of the bus in sentences and in JSON: "the \(name) bus".
  var name: String { isUser ? "session" : "system" }

  /// How to start the daemon there by hand.
  var startHint: String {
    isUser ? "start it with: orientationd --user" : "start it with: systemctl start orientationd"
  }

  /// Connects to the bus and waits until it has answered.
  ///
  /// - Throws: ``CommandError`` when there is no such bus.
  func connect() throws(CommandError) -> Bus {
    do throws(BusError) {
      let bus = try Bus.open(isUser ? .session : .system)
      _ = try bus.uniqueName
      return bus
    } catch {
      let hint =
        isUser
        ? "is DBUS_SESSION_BUS_ADDRESS set? (without --user, the system bus is used)"
        : "is dbus running? (--user uses the session bus)"
      // What libsystemd says where nothing tells where the bus is, in words that speak of disks.
      let reason = error.code == ENOMEDIUM ? "" : " (\(String(cString: strerror(error.code))))"
      throw CommandError("cannot connect to the \(name) bus\(reason); \(hint)")
    }
  }
}
