// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// Something that a `Bus` waits for (`sd_bus_slot`): a reply, or matching messages.
///
/// Destroying it ends the waiting. Its own handler may do that.
public struct Slot: ~Copyable {
  private let handle: OpaquePointer

  /// Makes a slot with the function given, which gets the handler as userdata.
  init(
    _ operation: StaticString, handler body: @escaping (borrowing Message) -> Void,
    make: (inout OpaquePointer?, sd_bus_message_handler_t, UnsafeMutableRawPointer) -> CInt
  ) throws(BusError) {
    let handler = Unmanaged.passRetained(MessageHandler(body))
    let trampoline: sd_bus_message_handler_t = { message, userdata, _ in
      guard let message else { return 0 }
      callback(MessageHandler.self, userdata) { $0.body(Message(retaining: message)) }
      return 0  // other handlers may want the same message
    }
    do throws(BusError) {
      handle = try BusError.create(operation) { make(&$0, trampoline, handler.toOpaque()) }
    } catch {
      handler.release()
      throw error
    }
    // sd-bus may keep the slot longer than we do: the handler is released when the slot is freed.
    sd_bus_slot_set_destroy_callback(handle) { userdata in
      guard let userdata else { return }
      Unmanaged<MessageHandler>.fromOpaque(userdata).release()
    }
  }

  deinit { sd_bus_slot_unref(handle) }

  /// Leaves the slot to the bus: it lasts until the reply has come, or the bus is closed.
  package consuming func detach() {
    _ = sd_bus_slot_set_floating(handle, 1)
  }
}

/// The stable address that sd-bus hands back to the callback.
private final class MessageHandler {
  let body: (borrowing Message) -> Void

  init(_ body: @escaping (borrowing Message) -> Void) { self.body = body }
}
