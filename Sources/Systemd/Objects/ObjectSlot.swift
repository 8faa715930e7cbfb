// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// An interface of an object on a `Bus`, served until this is destroyed.
///
/// A member of the interface may destroy it. No member is called afterwards, so the handler may be released then.
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
  /// - Throws: `BusError`: EEXIST if the object already has that interface, or one with the same members;
  ///   InvalidArgs if a name or a signature is malformed.
  package init(on bus: Bus, path: String, interface: Interface) throws(BusError) {
    let table = Unmanaged.passRetained(InterfaceTable(interface))
    let entries = table.takeUnretainedValue().entries
    do throws(BusError) {
      slot = try BusError.create("sd_bus_add_object_vtable") {
        sd_bus_add_object_vtable(bus.handle, &$0, path, interface.name, entries, table.toOpaque())
      }
    } catch {
      table.release()
      throw error
    }
    // While a member runs, sd-bus keeps the slot, and reads the table once more when it frees the slot. So the
    // table is released when sd-bus has destroyed the slot.
    sd_bus_slot_set_destroy_callback(slot) { userdata in
      if let userdata { Unmanaged<InterfaceTable>.fromOpaque(userdata).release() }
    }
  }

  deinit { sd_bus_slot_unref(slot) }
}
