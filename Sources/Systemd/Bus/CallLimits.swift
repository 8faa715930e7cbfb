// SPDX-License-Identifier: Apache-2.0

// sd-bus handles a call before the service's own code does. Three kinds of calls cost too much there:
//
// - If the path does not exist, sd-bus looks for an object at each parent of the path. It hashes every prefix, so the time grows
//   with the square of the length. With 20 calls of 64 KiB paths, a service served no other client for 22 s.
// - If a property does not exist, sd-bus answers a read with an error that quotes the names, of up to 32 MB. dbus-daemon counts an
//   answer that the caller does not read against its sender: after four, it accepted nothing more from the service.
// - If the caller wants no reply, its calls are limited by nothing. With a list of 12 kB as a property, which was built for each call, a
//   service served no other client for 41 s after 5 s of such reads.
//
// (Measured with libsystemd 252.) So calls with longer paths, strings or lists of strings than any that a service has are refused first.
// That is true of all arguments up to the first structure, variant, or array of something else; options (`a{sv}`) have as few entries, of
// basic types or lists of strings, for a later version's. Reads of properties and introspection without a reply are dropped.

import CLinux
import CSystemd

/// Refuses method calls with long paths and long strings, and drops questions that want no reply.
enum CallLimits {
  /// The longest path or string that is accepted, in bytes: the maximum length of the name of an interface or a member.
  private static let longest = 255
  /// How many strings a list may have.
  private static let longestList = 64

  /// Refuses from here on, until the bus is closed.
  static func attach(to bus: OpaquePointer) throws(BusError) {
    let added = sd_bus_add_filter(
      bus, nil,
      { message, _, _ in
        guard let message, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
        if CallLimits.isUseless(message) { return 1 }
        guard let refusal = CallLimits.refusal(of: message) else { return 0 }
        // It fails only if the connection is closed.
        _ = try? Message(retaining: message).reply(refusal)
        return 1  // handled: no object gets the call
      }, nil)
    try BusError.check(added, "sd_bus_add_filter")
  }

  /// Whether it only asks for a reply, which its caller does not want.
  private static func isUseless(_ call: OpaquePointer) -> Bool {
    guard sd_bus_message_get_expect_reply(call) == 0 else { return false }
    let properties = "org.freedesktop.DBus.Properties"
    return sd_bus_message_is_method_call(call, properties, "GetAll") > 0
      || sd_bus_message_is_method_call(call, properties, "Get") > 0
      || sd_bus_message_is_method_call(call, "org.freedesktop.DBus.Introspectable", "Introspect") > 0
  }

  private static func refusal(of call: OpaquePointer) -> BusError? {
    if let path = sd_bus_message_get_path(call), isLong(path) {
      return BusError(
        name: BusError.Name.unknownObject,
        message: "There is no object with a path of more than \(longest) bytes.")
    }
    guard hasLongString(call) else { return nil }
    return BusError(
      name: BusError.Name.invalidArguments,
      message:
        "An argument has more than \(longest) bytes, is a list of more than \(longestList) strings or options, or has an option that is"
        + " neither of a basic type nor a list of strings."
    )
  }

  /// Whether one of the strings, or lists of strings, before the first argument of another type that is not basic is long.
  private static func hasLongString(_ call: OpaquePointer) -> Bool {
    guard sd_bus_message_has_signature(call, "") == 0 else { return false }
    defer { _ = sd_bus_message_rewind(call, 1) }
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    while sd_bus_message_peek_type(call, &type, &contents) > 0 {
      if type == CChar(SD_BUS_TYPE_ARRAY), let contents, strcmp(contents, "s") == 0 {
        var count = 0
        if isLongList(call, &count) { return true }
      } else if type == CChar(SD_BUS_TYPE_ARRAY), let contents, strcmp(contents, "{sv}") == 0 {
        if hasLongOptions(call) { return true }
      } else if type == CChar(SD_BUS_TYPE_STRING) {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(call, type, &text) > 0, let text else { return false }
        if isLong(text) { return true }
      } else {
        var value = [type, 0]
        let isBasic = ![SD_BUS_TYPE_ARRAY, SD_BUS_TYPE_STRUCT, SD_BUS_TYPE_VARIANT].contains {
          CChar($0) == type
        }
        guard isBasic, sd_bus_message_skip(call, &value) > 0 else { return false }
      }
    }
    return false
  }

  /// Whether the list of strings that is next is long together with what was counted before, or one of its strings is.
  private static func isLongList(_ call: OpaquePointer, _ count: inout Int) -> Bool {
    guard sd_bus_message_enter_container(call, CChar(SD_BUS_TYPE_ARRAY), "s") > 0 else { return true }
    var text: UnsafePointer<CChar>?
    while sd_bus_message_read_basic(call, CChar(SD_BUS_TYPE_STRING), &text) > 0, let found = text {
      count += 1
      if count > longestList || isLong(found) { return true }
    }
    return sd_bus_message_exit_container(call) < 0
  }

  /// Whether the `a{sv}` that is next has many entries and strings in lists, or a long string, or a value that is neither basic nor a
  /// list of strings.
  private static func hasLongOptions(_ call: OpaquePointer) -> Bool {
    guard sd_bus_message_enter_container(call, CChar(SD_BUS_TYPE_ARRAY), "{sv}") > 0 else { return true }
    var count = 0
    while sd_bus_message_enter_container(call, CChar(SD_BUS_TYPE_DICT_ENTRY), "sv") > 0 {
      count += 1
      guard count <= longestList, isShortString(call) else { return true }
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      guard sd_bus_message_peek_type(call, &type, &contents) > 0, let contents,
        sd_bus_message_enter_container(call, CChar(SD_BUS_TYPE_VARIANT), contents) > 0,
        isShortValue(call, of: contents, &count),
        sd_bus_message_exit_container(call) >= 0, sd_bus_message_exit_container(call) >= 0
      else { return true }
    }
    return sd_bus_message_exit_container(call) < 0
  }

  /// Skips the value of an option; false if it is long, or neither basic nor a list of strings.
  private static func isShortValue(
    _ call: OpaquePointer, of type: UnsafePointer<CChar>, _ count: inout Int
  ) -> Bool {
    if strcmp(type, "as") == 0 { return !isLongList(call, &count) }
    guard strlen(type) == 1, type[0] != CChar(SD_BUS_TYPE_VARIANT) else { return false }
    let isText = [SD_BUS_TYPE_STRING, SD_BUS_TYPE_OBJECT_PATH].contains { CChar($0) == type[0] }
    return isText ? isShortString(call, type[0]) : sd_bus_message_skip(call, type) > 0
  }

  private static func isShortString(_ call: OpaquePointer, _ type: CChar = CChar(SD_BUS_TYPE_STRING)) -> Bool
  {
    var text: UnsafePointer<CChar>?
    return sd_bus_message_read_basic(call, type, &text) > 0 && text.map(isLong) == false
  }

  private static func isLong(_ text: UnsafePointer<CChar>) -> Bool {
    // Not strlen, which would read a long text to its end.
    for index in 0...longest where text[index] == 0 { return false }
    return true
  }
}
