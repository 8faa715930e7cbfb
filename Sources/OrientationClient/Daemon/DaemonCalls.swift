// SPDX-License-Identifier: Apache-2.0

import Orientation
package import Systemd

// Calls of the daemon's methods.
extension Bus {
  /// Creates a call of a method of one of the daemon's interfaces.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - interface: its interface.
  ///   - destination: the bus name to call; the bus starts a daemon that does not run only for the well-known name.
  /// - Returns: the call, without arguments.
  /// - Throws: `BusError` if the connection has ended.
  package func daemonCall(
    _ member: String, of interface: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    try methodCall(destination: destination, path: DBusNames.path, interface: interface, member: member)
  }

  /// Creates a call of a method of the Device interface; see ``daemonCall(_:of:to:)``.
  package func deviceCall(
    _ member: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    try daemonCall(member, of: DBusNames.deviceInterface, to: destination)
  }

  /// Creates a call that reads every property of one of the daemon's interfaces; see ``daemonCall(_:of:to:)``.
  package func propertiesCall(
    of interface: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    let call = try daemonCall("GetAll", of: "org.freedesktop.DBus.Properties", to: destination)
    try call.append(interface)
    return call
  }

  /// Creates a call that has the bus start the daemon; NameOwnerChanged follows if it has started.
  package func startCall() throws(BusError) -> Message {
    let call = try methodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "StartServiceByName")
    try call.append(DBusNames.service)
    try call.append(0 as UInt32)
    return call
  }
}
