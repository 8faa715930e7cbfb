// SPDX-License-Identifier: Apache-2.0

// What a call costs before it comes to whom it is for, sd-bus decides, and for two things that is more than a caller may have:
//
// - For a path that is not there, it looks for an object at each of the path's parents: it hashes every prefix, so the time grows
//   with the square of the length. 20 calls of 64 KiB paths kept a service from everybody else for 22 s.
// - It answers a read of a property that is not there with an error that quotes the names, of up to 32 MB. dbus-daemon charges an
//   answer that the caller does not read to who has sent it: four of them, and it took nothing more from the service.
//
// (Measured with libsystemd 252.) So paths and leading strings longer than any that a service has are refused before.

import CLinux
import CSystemd

/// Refuses method calls with long paths and long strings.
final class CallLimits {
  /// The longest path or string that is let in, in bytes: as long as the longest name of an interface or a member.
  private static let longest = 255

  private let bus: OpaquePointer
  private var filter: OpaquePointer?

  /// Refuses nothing yet; the bus must outlive this.
  init(on bus: OpaquePointer) { self.bus = bus }

  deinit { sd_bus_slot_unref(filter) }

  /// Refuses from here on.
  func attach() throws(BusError) {
    filter = try BusError.create("sd_bus_add_filter") {
      sd_bus_add_filter(
        bus, &$0,
        { message, _, _ in
          guard let message, sd_bus_message_is_method_call(message, nil, nil) > 0,
            let refusal = CallLimits.refusal(of: message)
          else { return 0 }
          // A caller that cannot be answered has gone.
          _ = try? Message(retaining: message).reply(refusal)
          return 1  // nobody else is to handle it
        }, nil)
    }
  }

  private static func refusal(of call: OpaquePointer) -> BusError? {
    if let path = sd_bus_message_get_path(call), isLong(path) {
      return BusError(
        name: BusError.Name.unknownObject,
        message: "There is no object with a path of more than \(longest) bytes.")
    }
    guard hasLongString(call) else { return nil }
    return BusError(
      name: BusError.Name.invalidArguments, message: "An argument has more than \(longest) bytes.")
  }

  /// Whether one of the strings that the arguments begin with is long.
  private static func hasLongString(_ call: OpaquePointer) -> Bool {
    guard sd_bus_message_has_signature(call, "") == 0 else { return false }
    defer { _ = sd_bus_message_rewind(call, 1) }
    var text: UnsafePointer<CChar>?
    while sd_bus_message_peek_type(call, nil, nil) > 0,
      sd_bus_message_read_basic(call, CChar(SD_BUS_TYPE_STRING), &text) > 0, let text
    {
      if isLong(text) { return true }
    }
    return false
  }

  private static func isLong(_ text: UnsafePointer<CChar>) -> Bool {
    // Not strlen: it is enough to know that it goes on.
    for index in 0...longest where text[index] == 0 { return false }
    return true
  }
}
