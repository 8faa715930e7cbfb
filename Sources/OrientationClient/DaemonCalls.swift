// SPDX-License-Identifier: Apache-2.0

import Orientation
package import Systemd

// The daemon's methods, as calls of this bus.
extension Bus {
  /// A call of a method of one of the daemon's interfaces.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - interface: its interface.
  ///   - destination: whom to call; only for the well-known name does the bus start a daemon that does not run.
  /// - Returns: the call, without arguments so far.
  /// - Throws: `BusError`, where the connection is gone.
  package func daemonCall(
    _ member: String, of interface: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    try methodCall(destination: destination, path: DBusNames.path, interface: interface, member: member)
  }

  /// A call of a method of the Device interface; see ``daemonCall(_:of:to:)``.
  package func deviceCall(
    _ member: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    try daemonCall(member, of: DBusNames.deviceInterface, to: destination)
  }

  /// A call for every property of one of the daemon's interfaces; see ``daemonCall(_:of:to:)``.
  package func propertiesCall(
    of interface: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    let call = try daemonCall("GetAll", of: "org.freedesktop.DBus.Properties", to: destination)
    try call.append(interface)
    return call
  }
}
