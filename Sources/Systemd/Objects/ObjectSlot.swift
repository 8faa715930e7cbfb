// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// An interface of an object on a `Bus`, until this is destroyed: also from within one of its handlers.
public struct ObjectSlot: ~Copyable {
  private let slot: OpaquePointer

  /// Registers an interface at a path.
  ///
  /// An object has as many slots as it has interfaces.
  ///
  /// - Parameters:
  ///   - bus: The connection that serves the object.
  ///   - path: The object's path.
  ///   - interface: What is served.
  /// - Throws: `BusError`: EEXIST, where the object has that interface or one with the same members already;
  ///   InvalidArgs, where a name or a signature is malformed.
  public init(on bus: borrowing Bus, path: String, interface: Interface) throws(BusError) {
    let table = Unmanaged.passRetained(InterfaceTable(interface))
    let (entries, records) = table.takeUnretainedValue().addresses(owner: table)
    do throws(BusError) {
      slot = try BusError.create("sd_bus_add_object_vtable") {
        sd_bus_add_object_vtable(bus.handle, &$0, path, interface.name, entries, records)
      }
    } catch {
      table.release()
      throw error
    }
    // While one of its handlers runs, sd-bus keeps the slot, and reads the table once more as it lets go of
    // it. So the table goes when sd-bus says that the slot is gone.
    sd_bus_slot_set_destroy_callback(slot) { userdata in
      userdata?.assumingMemoryBound(to: MemberRecord.self).pointee.owner.release()
    }
  }

  deinit { sd_bus_slot_unref(slot) }
}
