// SPDX-License-Identifier: Apache-2.0

import CGIO
import CLinux

/// The system bus, without which this process ends: systemd starts it again.
struct SystemBus {
  private let connection: OpaquePointer

  /// Nil, with a message, if there is no bus.
  init?() {
    var error: UnsafeMutablePointer<GError>?
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SYSTEM, nil, &error) else {
      tell("there is no system bus")
      g_clear_error(&error)
      return nil
    }
    self.connection = connection
    // Before GDBus ends the process with a SIGTERM, which systemd takes for the end of the session.
    let closed: GCallback = {
      tell("the system bus is gone")
      exit(1)
    }
    g_signal_connect_data(
      UnsafeMutableRawPointer(connection), "closed", closed, nil, nil, GConnectFlags(rawValue: 0))
  }

  /// Watches who owns a name; nobody is started for it.
  func watch(
    _ name: String, _ data: UnsafeMutableRawPointer, appeared: @escaping GBusNameAppearedCallback,
    vanished: @escaping GBusNameVanishedCallback
  ) {
    g_bus_watch_name_on_connection(
      connection, name, GBusNameWatcherFlags(rawValue: 0), appeared, vanished, data, nil)
  }

  /// Subscribes to the changes of an interface's properties.
  ///
  /// The owner is a unique name: of a well-known one, GDBus before 2.80.1 takes signals of everybody (CVE-2024-34397).
  ///
  /// - Returns: what ends it.
  func subscribe(
    to owner: UnsafePointer<CChar>, path: String, interface: String, _ data: UnsafeMutableRawPointer,
    _ handler: @escaping GDBusSignalCallback
  ) -> UInt32 {
    g_dbus_connection_signal_subscribe(
      connection, owner, "org.freedesktop.DBus.Properties", "PropertiesChanged", path, interface,
      GDBusSignalFlags(rawValue: 0), handler, data, nil)
  }

  /// Ends a subscription.
  func unsubscribe(_ subscription: UInt32) { g_dbus_connection_signal_unsubscribe(connection, subscription) }

  /// Calls a method that takes a boolean; polkit asks no user for a password because of it.
  func call(
    _ owner: UnsafePointer<CChar>, path: String, interface: String, method: String, _ argument: Bool,
    _ cancellable: UnsafeMutablePointer<GCancellable>?, _ data: UnsafeMutableRawPointer,
    _ handler: @escaping GAsyncReadyCallback
  ) {
    var argument = g_variant_new_boolean(argument ? 1 : 0)
    g_dbus_connection_call(
      connection, owner, path, interface, method, g_variant_new_tuple(&argument, 1), nil,
      bus_call_no_auto_start(), -1, cancellable, handler, data)
  }

  /// The error of an answer, which the caller frees; nil if it is none.
  func error(of result: OpaquePointer?) -> UnsafeMutablePointer<GError>? {
    var error: UnsafeMutablePointer<GError>?
    if let value = g_dbus_connection_call_finish(connection, result, &error) { g_variant_unref(value) }
    return error
  }
}
