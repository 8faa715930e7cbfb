// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// Appends arguments of types and values that the input chooses.
func appendArguments(to message: OpaquePointer, _ input: inout ByteReader) {
  for _ in 0..<input.byte() % 5 { appendValue(to: message, &input, depth: 0) }
}

private func appendValue(to message: OpaquePointer, _ input: inout ByteReader, depth: Int) {
  let type = input.choice(of: Array("bynqiuxtdsogvar".utf8))
  switch type {
  case UInt8(ascii: "v"), UInt8(ascii: "a"): appendContainer(type, to: message, &input, depth: depth)
  case UInt8(ascii: "r"):
    guard depth < 3, sd_bus_message_open_container(message, CChar(type), "us") >= 0 else { return }
    appendBasic(UInt8(ascii: "u"), to: message, &input)
    appendBasic(UInt8(ascii: "s"), to: message, &input)
    sd_bus_message_close_container(message)
  default: appendBasic(type, to: message, &input)
  }
}

/// A variant or an array, which says what is in it first.
private func appendContainer(_ type: UInt8, to message: OpaquePointer, _ input: inout ByteReader, depth: Int)
{
  let contents = input.choice(of: Array("busdygtv".utf8))
  guard depth < 3, sd_bus_message_open_container(message, CChar(type), String(UnicodeScalar(contents))) >= 0
  else {
    return
  }
  for _ in 0..<(type == UInt8(ascii: "v") ? 1 : Int(input.byte() % 20)) {
    if contents == UInt8(ascii: "v") {
      appendContainer(contents, to: message, &input, depth: depth + 1)
    } else {
      appendBasic(contents, to: message, &input)
    }
  }
  sd_bus_message_close_container(message)
}

func appendBasic(_ type: UInt8, to message: OpaquePointer, _ input: inout ByteReader) {
  switch type {
  case UInt8(ascii: "b"): append(CInt(input.byte() & 1), type, message)
  case UInt8(ascii: "s"), UInt8(ascii: "g"): append(input.text(), type, message)
  case UInt8(ascii: "o"): append("/" + input.text(), type, message)
  case UInt8(ascii: "d"): append(Double(bitPattern: input.number()), type, message)
  default: append(input.number(), type, message)
  }
}

/// What sd-bus refuses, such as a signature that is none, is left out.
private func append(_ value: some BitwiseCopyable, _ type: UInt8, _ message: OpaquePointer) {
  _ = withUnsafePointer(to: value) { sd_bus_message_append_basic(message, CChar(type), $0) }
}

private func append(_ text: String, _ type: UInt8, _ message: OpaquePointer) {
  _ = text.withCString { sd_bus_message_append_basic(message, CChar(type), $0) }
}

// MARK: Right arguments

/// Appends arguments of the types of a method: basic ones, names of orientations (`as`) and options (`a{sv}`).
func appendArguments(of signature: String, to message: OpaquePointer, _ input: inout ByteReader) {
  var types = signature[...]
  while let type = types.utf8.first {
    let container = ["as", "a{sv}"].first { types.hasPrefix($0) }
    types.removeFirst(container?.count ?? 1)
    guard let container else {
      appendBasic(type, to: message, &input)
      continue
    }
    sd_bus_message_open_container(message, CChar(type), String(container.dropFirst()))
    for _ in 0..<input.byte() % 4 {
      if container == "as" {
        append(input.choice(of: ["portrait", "landscapeLeft", input.text()]), to: message)
      } else {
        appendOption(to: message, &input)
      }
    }
    sd_bus_message_close_container(message)
  }
}

private func appendOption(to message: OpaquePointer, _ input: inout ByteReader) {
  sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv")
  append(input.text(), to: message)
  appendContainer(UInt8(ascii: "v"), to: message, &input, depth: 0)
  sd_bus_message_close_container(message)
}

func append(_ text: String, to message: OpaquePointer) { append(text, UInt8(ascii: "s"), message) }
func append(_ number: UInt32, to message: OpaquePointer) { append(number, UInt8(ascii: "u"), message) }
func append(_ truth: CInt, to message: OpaquePointer) { append(truth, UInt8(ascii: "b"), message) }

/// What the bus's ListNames returns: the bus, and of the clients those that have their bit set.
func appendNames(ofClients clients: UInt8, to message: OpaquePointer) {
  sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "s")
  append("org.freedesktop.DBus", to: message)
  for client in 0..<6 where clients & (1 << client) != 0 { append(":1.\(2 + client)", to: message) }
  sd_bus_message_close_container(message)
}

/// What polkit's CheckAuthorization returns, without details.
func appendPolkitResult(isAuthorized: UInt8, isChallenge: UInt8, to message: OpaquePointer) {
  sd_bus_message_open_container(message, CChar(UInt8(ascii: "r")), "bba{ss}")
  append(CInt(isAuthorized), to: message)
  append(CInt(isChallenge), to: message)
  sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{ss}")
  sd_bus_message_close_container(message)
  sd_bus_message_close_container(message)
}

/// The types of all arguments so far.
func signatureOf(_ message: OpaquePointer) -> String {
  sd_bus_message_get_signature(message, 1).map { String(cString: $0) } ?? ""
}
