// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Why a bus name could not be acquired.
package enum RequestNameError: Error, Equatable, CustomStringConvertible {
  /// Another connection owns it. `process` and `command` are nil if the bus does not know them.
  case owned(name: String, owner: String, process: Int32?, command: String?)
  /// The policy of the bus does not let this user own the name.
  case refused(name: String)
  /// The bus could not be asked.
  case failed(BusError)

  /// A sentence for a person.
  package var description: String {
    switch self {
    case .owned(let name, let owner, let process?, let command):
      "the bus name \(name) is owned by process \(process) (\(command ?? "unknown command"), \(owner))"
    case .owned(let name, let owner, nil, _): "the bus name \(name) is owned by \(owner)"
    case .refused(let name): "the policy of the bus does not allow this user to own the name \(name)"
    case .failed(let error): "the bus name could not be requested: \(error)"
    }
  }
}

extension Bus {
  /// The unique name that the bus gave to this connection.
  ///
  /// Waits for the handshake to end.
  ///
  /// - Throws: `BusError` if the bus has refused the connection, or if the connection is closed.
  package var uniqueName: String {
    get throws(BusError) {
      var name: UnsafePointer<CChar>?
      try BusError.check(sd_bus_get_unique_name(handle, &name), "sd_bus_get_unique_name")
      guard let name else { throw BusError(code: ENODATA, operation: "sd_bus_get_unique_name") }
      return String(cString: name)
    }
  }

  /// Becomes the owner of a well-known name, without queueing for it or replacing its owner.
  ///
  /// Register objects before: clients that had the service started call at once.
  ///
  /// - Parameter name: Such as `org.example.Service1`.
  /// - Throws: `RequestNameError`.
  package func requestName(_ name: String) throws(RequestNameError) {
    switch sd_bus_request_name(handle, name, 0) {
    case 0...: return
    case -EEXIST: throw describeOwner(of: name)
    case -EACCES, -EPERM: throw .refused(name: name)
    case let result: throw .failed(BusError(code: -result, operation: "sd_bus_request_name"))
    }
  }

  /// The unique name of the owner of a name.
  ///
  /// - Parameter name: A bus name.
  /// - Returns: A unique name; nil if the name has no owner.
  /// - Throws: `BusError` if the bus could not be asked.
  package func owner(of name: String) throws(BusError) -> String? {
    try credentials(of: name, SD_BUS_CREDS_UNIQUE_NAME)?.uniqueName
  }

  /// The name of the process that owns a name, for people: any program can choose its own.
  ///
  /// - Parameter name: A bus name.
  /// - Returns: The first 15 characters; nil if the name has no owner, or its process is hidden.
  /// - Throws: `BusError` if the bus could not be asked.
  package func command(of name: String) throws(BusError) -> String? {
    try credentials(of: name, SD_BUS_CREDS_PID | SD_BUS_CREDS_COMM | SD_BUS_CREDS_AUGMENT)?.command
  }

  private func describeOwner(of name: String) -> RequestNameError {
    let wanted = SD_BUS_CREDS_UNIQUE_NAME | SD_BUS_CREDS_PID | SD_BUS_CREDS_COMM | SD_BUS_CREDS_AUGMENT
    let owner = try? credentials(of: name, wanted)
    return .owned(
      name: name, owner: owner?.uniqueName ?? "another connection", process: owner?.process,
      command: owner?.command)
  }

  private struct Credentials {
    var uniqueName: String?
    var process: Int32?
    var command: String?
  }

  /// What the bus knows of the owner of a name; nil if the name has no owner.
  private func credentials<Mask: BinaryInteger>(
    of name: String, _ mask: Mask
  ) throws(BusError) -> Credentials? {
    var raw: OpaquePointer?
    let result = sd_bus_get_name_creds(handle, name, UInt64(mask), &raw)
    if result == -ENXIO || result == -ESRCH { return nil }
    try BusError.check(result, "sd_bus_get_name_creds")
    defer { sd_bus_creds_unref(raw) }
    var found = Credentials()
    var text: UnsafePointer<CChar>?
    if sd_bus_creds_get_unique_name(raw, &text) >= 0, let text { found.uniqueName = String(cString: text) }
    var process: pid_t = 0
    if sd_bus_creds_get_pid(raw, &process) >= 0 { found.process = process }
    if sd_bus_creds_get_comm(raw, &text) >= 0, let text { found.command = String(cString: text) }
    return found
  }
}
