// SPDX-License-Identifier: Apache-2.0

// An Interface in the form that sd-bus needs: a vtable. Each entry has the address of its member, which sd-bus passes to the callback
// as it is (SD_BUS_VTABLE_ABSOLUTE_OFFSET). So one callback of each kind serves all members.

import CLinux
import CSystemd

/// The vtable of an interface, with the members and strings that it points to.
final class InterfaceTable {
  let entries: UnsafeMutablePointer<sd_bus_vtable>
  private let members: [InterfaceMember]
  private var strings: [UnsafeMutablePointer<CChar>] = []

  init(_ interface: Interface) {
    members = interface.members
    entries = .allocate(capacity: members.count + 2)
    entries.initialize(repeating: sd_bus_vtable(), count: members.count + 2)
    entries[0].type = UInt8(_SD_BUS_VTABLE_START)
    entries[0].x.start.element_size = MemoryLayout<sd_bus_vtable>.stride
    entries[0].x.start.features = UInt64(_SD_BUS_VTABLE_PARAM_NAMES)
    entries[0].x.start.vtable_format_reference = orientationd_vtable_format()
    for (index, member) in members.enumerated() { fill(&entries[index + 1], member) }
    entries[members.count + 1].type = UInt8(_SD_BUS_VTABLE_END)
  }

  deinit {
    entries.deallocate()
    for string in strings { string.deallocate() }
  }

  private func fill(_ entry: inout sd_bus_vtable, _ member: InterfaceMember) {
    let address = Int(bitPattern: Unmanaged.passUnretained(member).toOpaque())
    entry.flags = UInt64(SD_BUS_VTABLE_ABSOLUTE_OFFSET)
    switch member.kind {
    case .method(let inputs, let outputs, _):
      entry.type = UInt8(_SD_BUS_VTABLE_METHOD)
      entry.flags |= UInt64(SD_BUS_VTABLE_UNPRIVILEGED)
      entry.x.method.member = keep(member.name)
      entry.x.method.signature = keep(signature(inputs))
      entry.x.method.result = keep(signature(outputs))
      entry.x.method.handler = answerCall
      entry.x.method.offset = address
      entry.x.method.names = keep(names(inputs) + names(outputs))
    case .property(let type, let changes, _):
      entry.type = UInt8(_SD_BUS_VTABLE_PROPERTY)
      entry.flags |= changes.flags
      entry.x.property.member = keep(member.name)
      entry.x.property.signature = keep(type)
      entry.x.property.get = getProperty
      entry.x.property.offset = address
    case .signal(let arguments):
      entry.type = UInt8(_SD_BUS_VTABLE_SIGNAL)
      entry.x.signal.member = keep(member.name)
      entry.x.signal.signature = keep(signature(arguments))
      entry.x.signal.names = keep(names(arguments))
    }
  }

  private func signature(_ arguments: Interface.Arguments) -> String {
    var signature = ""
    for argument in arguments { signature += argument.value }
    return signature
  }

  /// The names in sd-bus's layout: each ended by a zero, all of them by one more.
  private func names(_ arguments: Interface.Arguments) -> String {
    var names = ""
    for argument in arguments { names += argument.key + "\0" }
    return names
  }

  /// A copy with a zero after it, which lives as long as the table.
  private func keep(_ string: String) -> UnsafePointer<CChar> {
    let bytes = string.utf8
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    var index = 0
    for byte in bytes {
      copy[index] = CChar(bitPattern: byte)
      index += 1
    }
    copy[index] = 0
    strings.append(copy)
    return UnsafePointer(copy)
  }
}

extension Interface.Changes {
  fileprivate var flags: UInt64 {
    switch self {
    case .constant: UInt64(SD_BUS_VTABLE_PROPERTY_CONST)
    case .emitted: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
    case .silent: 0
    }
  }
}

/// Called by sd-bus for every method.
private func answerCall(
  _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
  _ busError: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let message else { return -EINVAL }
  return member(at: userdata, orStoreIn: busError) { kind throws(BusError) in
    guard case .method(_, _, let body) = kind else { throw notOfItsKind }
    try body(try Message(retaining: message).compact())
  }
}

/// Called by sd-bus for every property, by Get, GetAll and for PropertiesChanged.
private func getProperty(
  _ bus: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ reply: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
  _ busError: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let reply else { return -EINVAL }
  return member(at: userdata, orStoreIn: busError) { kind throws(BusError) in
    guard case .property(_, _, let getter) = kind else { throw notOfItsKind }
    try getter(Message(retaining: reply))
  }
}

/// The error for a member that sd-bus calls as one of another kind, which the table does not allow.
private var notOfItsKind: BusError { BusError(code: EINVAL, operation: "sd-bus") }

/// Runs a member, and returns what its callback has to return.
private func member(
  at userdata: UnsafeMutableRawPointer?, orStoreIn busError: UnsafeMutablePointer<sd_bus_error>?,
  _ body: (InterfaceMember.Kind) throws(BusError) -> Void
) -> CInt {
  var result: CInt = -EINVAL
  callback(InterfaceMember.self, userdata) { member in
    do throws(BusError) {
      try body(member.kind)
      result = 1  // handled: sd-bus looks no further
    } catch {
      result = error.store(in: busError)
    }
  }
  return result
}
