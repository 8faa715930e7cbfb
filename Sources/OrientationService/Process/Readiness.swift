// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// Takes the bus name and notifies the service manager, when clients can be served.
final class Readiness {
  /// How long the name waits for the first scan of the devices, in seconds.
  ///
  /// The first call of a client that started the service should find the sensor, but not wait for a slow hub.
  static let patienceSeconds = 1.0

  /// How long a name that another connection owns is requested again, and how long between two requests, in seconds.
  ///
  /// A busy bus notices late that the daemon before has ended, and an upgrade starts the next one at once. (Under a flood of calls
  /// it took 2.3 s, in which four starts failed. After six, systemd does not start the service again.)
  private static let namePatienceSeconds = 5.0
  private static let nameRetrySeconds = 0.25

  private let connection: Connection
  private var conditions: [() -> Bool] = []
  private var namedHandlers: [() -> Void] = []
  private var isReady = false
  private var isNotified = false
  private var deadline: Timer?
  private var retry: Timer?
  private var nameDeadline: BootTime?

  /// Starts the wait; it ends when all conditions hold, or after a second.
  ///
  /// - Parameter connection: whose bus the name is taken on.
  /// - Throws: `SystemdError` if the loop takes no timer.
  init(connection: Connection) throws(SystemdError) {
    self.connection = connection
    deadline = try connection.loop.after(seconds: Self.patienceSeconds) { [unowned(unsafe) self] in become() }
  }

  /// Delays the name until this holds; the caller calls ``update()`` when it does.
  func require(_ condition: @escaping () -> Bool) {
    conditions.append(condition)
  }

  /// Calls this when the name is taken, before the service manager is notified.
  func onNamed(_ handler: @escaping () -> Void) {
    namedHandlers.append(handler)
  }

  /// Takes the name if every condition holds.
  func update() {
    if !isReady, conditions.allSatisfy({ $0() }) { become() }
  }

  private func become() {
    guard !isReady else { return }
    isReady = true
    deadline = nil
    takeName()
  }

  private func takeName() {
    do throws(RequestNameError) {
      try connection.bus.requestName(DBusNames.service)
    } catch {
      guard case .owned = error, isRetried() else { return connection.fail(.noName(error)) }
      return
    }
    retry = nil
    connection.isNamed = true
    for handler in namedHandlers { handler() }
    // If the service manager cannot be notified, it reports that itself.
    _ = try? ServiceManager.ready()
    isNotified = true
  }

  /// Reloads, and lets the service manager wait for its end.
  func reload(_ work: () -> Void) {
    // READY=1 after the reload would say that the service is up.
    guard isNotified else { return work() }
    _ = try? ServiceManager.reloading()
    work()
    _ = try? ServiceManager.ready()
  }

  /// Requests the name again later, if there is time left for that.
  private func isRetried() -> Bool {
    let now = BootTime.now
    let deadline = nameDeadline ?? now.advanced(bySeconds: Self.namePatienceSeconds)
    nameDeadline = deadline
    guard now < deadline else { return false }
    // It fails only if the loop has ended.
    retry = try? connection.loop.after(seconds: Self.nameRetrySeconds) { [unowned(unsafe) self] in takeName()
    }
    return retry != nil
  }
}
