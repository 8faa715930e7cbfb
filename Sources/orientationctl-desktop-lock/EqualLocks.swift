// SPDX-License-Identifier: Apache-2.0

import CGIO
import CLinux
import DesktopLock

/// Keeps the desktop's lock and orientationd's equal, as long as the process lives.
final class EqualLocks {
  private static let daemonName = "org.orientationd1"
  /// Who turns the desktop's screen.
  private static let proxyName = "net.hadess.SensorProxy"
  private static let path = "/org/orientationd1"
  private static let screen = "org.orientationd1.Screen"

  private let setting: DesktopSetting
  private let bus: SystemBus
  private var agreement: LockAgreement
  private var daemonOwner: UnsafeMutablePointer<CChar>?
  private var proxyOwner: UnsafeMutablePointer<CChar>?
  /// The daemon; nil while none serves the desktop.
  private var peer: Peer?
  /// Whether it was said that a lock cannot be set: once while a daemon runs.
  private var isFailureTold = false

  private struct Peer {
    let owner: UnsafeMutablePointer<CChar>
    let subscription: UInt32
    let cancellable: UnsafeMutablePointer<GCancellable>?
  }

  private var data: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func of(_ data: UnsafeMutableRawPointer?) -> EqualLocks? {
    data.map { Unmanaged<EqualLocks>.fromOpaque($0).takeUnretainedValue() }
  }

  init(_ setting: DesktopSetting, _ bus: SystemBus) {
    (self.setting, self.bus) = (setting, bus)
    agreement = LockAgreement(desktop: setting.isLocked)
  }

  /// Begins; the daemon may come later.
  func start() {
    setting.whenChanged(data) { EqualLocks.of($2)?.desktopChanged() }
    desktopChanged()
    for name in [Self.daemonName, Self.proxyName] {
      bus.watch(
        name, data, appeared: { EqualLocks.of($3)?.owner(of: $1, is: $2) },
        vanished: { EqualLocks.of($2)?.owner(of: $1, is: nil) })
    }
  }

  private func owner(of name: UnsafePointer<CChar>?, is owner: UnsafePointer<CChar>?) {
    let isDaemon = g_strcmp0(name, Self.daemonName) == 0
    g_free(isDaemon ? daemonOwner : proxyOwner)
    if isDaemon { daemonOwner = g_strdup(owner) } else { proxyOwner = g_strdup(owner) }
    // With iio-sensor-proxy itself, the daemon's lock is none of the desktop's, and its key toggles both.
    let server = g_strcmp0(daemonOwner, proxyOwner) == 0 ? daemonOwner : nil
    guard g_strcmp0(server, peer?.owner) != 0 else { return }
    leave()
    if let server { serve(server) }
  }

  private func serve(_ owner: UnsafePointer<CChar>) {
    let subscription = bus.subscribe(to: owner, path: Self.path, interface: Self.screen, data) {
      EqualLocks.of($6)?.propertiesChanged($5)
    }
    isFailureTold = false
    peer = Peer(owner: g_strdup(owner), subscription: subscription, cancellable: g_cancellable_new())
    perform(agreement.daemonAppeared())
  }

  private func leave() {
    guard let peer else { return }
    self.peer = nil
    agreement.daemonVanished()
    bus.unsubscribe(peer.subscription)
    g_cancellable_cancel(peer.cancellable)
    g_object_unref(peer.cancellable)
    g_free(peer.owner)
  }

  private func desktopChanged() { perform(agreement.desktopChanged(to: setting.isLocked)) }

  private func propertiesChanged(_ parameters: OpaquePointer?) {
    guard g_strcmp0(g_variant_get_type_string(parameters), "(sa{sv}as)") == 0 else { return }
    let properties = g_variant_get_child_value(parameters, 1)
    defer { g_variant_unref(properties) }
    guard let value = g_variant_lookup_value(properties, "RotationLocked", nil) else { return }
    defer { g_variant_unref(value) }
    guard g_strcmp0(g_variant_get_type_string(value), "b") == 0 else { return }
    perform(agreement.daemonChanged(to: g_variant_get_boolean(value) != 0))
  }

  private func perform(_ step: LockAgreement.Step) {
    switch step {
    case .nothing: break
    case .setDesktop(let isLocked):
      if !setting.set(isLocked) { tellOnce("the desktop's rotation lock may not be set") }
    case .setDaemon(let isLocked):
      guard let peer else { break }
      bus.call(
        peer.owner, path: Self.path, interface: Self.screen, method: "SetRotationLock", isLocked,
        peer.cancellable, data
      ) { EqualLocks.of($2)?.answered($1) }
    }
  }

  private func answered(_ result: OpaquePointer?) {
    var error = bus.error(of: result)
    defer { g_clear_error(&error) }
    // Of a daemon that has gone.
    if g_error_matches(error, g_io_error_quark(), CInt(G_IO_ERROR_CANCELLED.rawValue)) != 0 { return }
    if let error {
      // The name only: the text is another program's.
      let name = g_dbus_error_get_remote_error(error)
      defer { g_free(name) }
      tellOnce("orientationd's rotation lock was not set: \(name.map { String(cString: $0) } ?? "no answer")")
    }
    perform(agreement.daemonAnswered(isSet: error == nil))
  }

  private func tellOnce(_ text: String) {
    if !isFailureTold { tell(text) }
    isFailureTold = true
  }
}

/// Writes a line to the journal.
func tell(_ text: String) {
  var line = Array("orientationctl-desktop-lock: \(text)\n".utf8)
  _ = write(STDERR_FILENO, &line, line.count)
}
