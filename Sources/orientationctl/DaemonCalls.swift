// SPDX-License-Identifier: Apache-2.0

import OrientationService
import Systemd

// The daemon's methods, as calls of this bus.
extension Bus {
  /// A call of a method of the Device interface.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - destination: whom to call; only for the well-known name does the bus start a daemon that does not run.
  /// - Returns: the call, without arguments so far.
  /// - Throws: `BusError`, where the connection is gone.
  func deviceCall(
    _ member: String, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    try methodCall(
      destination: destination, path: DBusNames.path, interface: DBusNames.deviceInterface,
      member: member)
  }

  /// A call for every property of the Device interface, to a destination like that of ``deviceCall(_:to:)``.
  func devicePropertiesCall(to destination: String = DBusNames.service) throws(BusError) -> Message {
    let call = try methodCall(
      destination: destination, path: DBusNames.path, interface: "org.freedesktop.DBus.Properties",
      member: "GetAll")
    try call.append(DBusNames.deviceInterface)
    return call
  }
}
