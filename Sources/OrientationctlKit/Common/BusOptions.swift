// SPDX-License-Identifier: Apache-2.0

// This folder: what several commands share. Options (--user, --config, --json), the errors of the daemon and the bus as
// messages for people, and the texts for the screen's state and for axes.

import ArgumentParser
import Following
import OrientationClient
import Systemd

/// `--user`, for the commands that call the daemon.
struct BusOptions: ParsableArguments {
  @Flag(name: .customLong("user"), help: "Use the session bus, where orientationd --user serves.")
  var isUser = false

  /// The bus.
  var bus: Bus.Address { isUser ? .session : .system }

  /// The name of the bus in messages and in JSON: "the \(name) bus".
  var name: String { bus.name }

  /// Connects to the bus and waits for its answer.
  ///
  /// - Throws: ``CommandError`` if there is no such bus.
  func connect() throws(CommandError) -> Bus {
    do throws(BusError) {
      return try bus.connect()
    } catch {
      throw CommandError(noConnection(toUserBus: isUser, code: error.code))
    }
  }
}
