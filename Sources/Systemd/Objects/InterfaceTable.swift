// SPDX-License-Identifier: Apache-2.0

// An Interface in the form that sd-bus needs: a vtable. sd-bus passes a callback the slot's userdata plus the
// `offset` of the member called. The userdata is an array of records, one for each member. So the sum is the
// address of the member's own record, and one callback of each kind serves all members.

import CLinux
import CSystemd

/// What the userdata of a callback points to.
struct MemberRecord {
  /// Holds the array that this record is in.
  ///
  /// It is retained once, for the slot.
  let owner: Unmanaged<InterfaceTable>
  let kind: BoundMember.Kind
}

/// The vtable of an interface, with the strings and records that it points to.
final class InterfaceTable {
  private let members: [BoundMember]
  private let entries: UnsafeMutablePointer<sd_bus_vtable>
  private let records: UnsafeMutablePointer<MemberRecord>
  private var recordCount = 0
  private var strings: [UnsafeMutablePointer<CChar>] = []

  init(_ interface: Interface) {
    members = interface.members
    entries = .allocate(capacity: members.count + 2)
    entries.initialize(repeating: sd_bus_vtable(), count: members.count + 2)
    records = .allocate(capacity: max(members.count, 1))
  }

  deinit {
    entries.deallocate()
    records.deinitialize(count: recordCount)
    records.deallocate()
    for string in strings { string.deallocate() }
  }

  /// Fills the table, once.
  ///
  /// - Parameter owner: A reference to this very table, for the slot to release through any record.
  /// - Returns: The vtable, and the userdata that belongs to it. Both live as long as the table.
  func addresses(
    owner: Unmanaged<InterfaceTable>
  ) -> (vtable: UnsafePointer<sd_bus_vtable>, userdata: UnsafeMutableRawPointer) {
    entries[0].type = UInt8(_SD_BUS_VTABLE_START)
    entries[0].x.start.element_size = MemoryLayout<sd_bus_vtable>.stride
    entries[0].x.start.features = UInt64(_SD_BUS_VTABLE_PARAM_NAMES)
    entries[0].x.start.vtable_format_reference = orientationd_vtable_format()
    // A table without members has a record too, as the slot releases the table through it.
    records.initialize(to: MemberRecord(owner: owner, kind: .signal([:])))
    recordCount = 1
    for (index, member) in members.enumerated() {
      let record = MemberRecord(owner: owner, kind: member.kind)
      if index == 0 {
        records.pointee = record
      } else {
        (records + index).initialize(to: record)
        recordCount += 1
      }
      fill(&entries[index + 1], member, offset: index * MemoryLayout<MemberRecord>.stride)
    }
    entries[members.count + 1].type = UInt8(_SD_BUS_VTABLE_END)
    return (UnsafePointer(entries), UnsafeMutableRawPointer(records))
  }

  private func fill(_ entry: inout sd_bus_vtable, _ member: BoundMember, offset: Int) {
    switch member.kind {
    case .method(let inputs, let outputs, let flags, _):
      entry.type = UInt8(_SD_BUS_VTABLE_METHOD)
      entry.flags = flags.rawValue
      entry.x.method.member = keep(member.name)
      entry.x.method.signature = keep(signature(inputs))
      entry.x.method.result = keep(signature(outputs))
      entry.x.method.handler = answerCall
      entry.x.method.offset = offset
      entry.x.method.names = keep(names(inputs) + names(outputs))
    case .property(let type, let changes, _):
      entry.type = UInt8(_SD_BUS_VTABLE_PROPERTY)
      entry.flags = changes.flags
      entry.x.property.member = keep(member.name)
      entry.x.property.signature = keep(type)
      entry.x.property.get = getProperty
      entry.x.property.offset = offset
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
    case .invalidated: UInt64(SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION)
    case .silent: 0
    }
  }
}

/// Called by sd-bus for every method.
private func answerCall(
  _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
  _ busError: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let message, let userdata else { return -EINVAL }
  let record = userdata.assumingMemoryBound(to: MemberRecord.self).pointee
  guard case .method(_, _, _, let answer) = record.kind else { return -EINVAL }
  let call = Message(retaining: message)
  do throws(BusError) {
    switch answer {
    case .immediate(let body):
      let reply = try call.reply()
      try body(call, reply)
      try reply.send()
    case .deferred(let body):
      try body(try call.compact())
    }
    return 1  // handled: sd-bus looks no further
  } catch {
    return error.store(in: busError)
  }
}

/// Called by sd-bus for every property, by Get, GetAll and for PropertiesChanged.
private func getProperty(
  _ bus: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
  _ property: UnsafePointer<CChar>?, _ reply: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
  _ busError: UnsafeMutablePointer<sd_bus_error>?
) -> CInt {
  guard let reply, let userdata else { return -EINVAL }
  let record = userdata.assumingMemoryBound(to: MemberRecord.self).pointee
  guard case .property(_, _, let getter) = record.kind else { return -EINVAL }
  do throws(BusError) {
    try getter(Message(retaining: reply))
    return 1
  } catch {
    return error.store(in: busError)
  }
}
