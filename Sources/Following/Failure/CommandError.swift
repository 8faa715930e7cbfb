// SPDX-License-Identifier: Apache-2.0

// This folder: what people read of orientationctl and of the program that follows, if something is wrong.

import CLinux
package import DaemonClient
package import Systemd

/// Why a command failed, for the user: what is wrong, and what to do.
///
/// The line breaks in it are kept. So names from outside must be made `printable` before they are put into it.
package struct CommandError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and what to do.
  package let description: String
  /// The exit status for this process.
  package let exitStatus: CInt

  /// Creates an error.
  package init(_ description: String, exitStatus: CInt = 1) {
    self.description = description.printableLines
    self.exitStatus = exitStatus
  }

  /// Another attempt in the same session would fail in the same way: the systemd unit does not try again after 69 (EX_UNAVAILABLE).
  package static func unavailable(_ description: String) -> CommandError {
    CommandError(description, exitStatus: 69)
  }
}

extension Bus.Address {
  /// Connects, and waits for the answer of the bus.
  ///
  /// - Throws: ``CommandError`` if there is no such bus.
  package func connectForCommand() throws(CommandError) -> Bus {
    do throws(BusError) {
      return try connect()
    } catch {
      throw .noConnection(to: self, code: error.code)
    }
  }

  /// Connects, and has a loop listen to the daemon, which is not called yet.
  ///
  /// - Parameters:
  ///   - interest: what is wanted of the daemon.
  ///   - loop: the loop of this thread.
  ///   - tell: receives what happens.
  /// - Returns: the conversation, which starts with its `start()`.
  /// - Throws: ``CommandError`` if there is no such bus, or it does not work.
  package func watch(
    for interest: DaemonWatch.Interest, in loop: EventLoop, tell: @escaping (DaemonWatch.Event) -> Void
  ) throws(CommandError) -> DaemonWatch {
    let connection = try connectForCommand()
    do throws(BusError) {
      try connection.attach(to: loop)
      return try DaemonWatch(self, connection, for: interest, loop: loop, tell: tell)
    } catch {
      throw CommandError("cannot listen to the \(name) bus: \(error)")
    }
  }
}

extension CommandError {
  /// There is no connection to a bus, for the reason of an errno.
  static func noConnection(to bus: Bus.Address, code: CInt) -> CommandError {
    let hint =
      if case .session = bus {
        "is DBUS_SESSION_BUS_ADDRESS set? (without --user, the system bus is used)"
      } else {
        "is dbus running? (--user uses the session bus)"
      }
    // libsystemd's error if no variable has the address of the bus. Its text, "No medium found", does not help.
    let reason = code == ENOMEDIUM ? "" : " (\(String(cString: strerror(code))))"
    return CommandError("cannot connect to the \(bus.name) bus\(reason); \(hint)")
  }
}

/// Does something with an event loop; that fails only if the process is out of descriptors or memory.
///
/// - Parameter body: what to do.
/// - Returns: what it returns.
/// - Throws: ``CommandError``
@discardableResult
package func inEventLoop<Result: ~Copyable>(
  _ body: () throws(SystemdError) -> Result
) throws(CommandError) -> Result {
  do throws(SystemdError) {
    return try body()
  } catch {
    throw CommandError("the event loop does not work: \(error)")
  }
}
