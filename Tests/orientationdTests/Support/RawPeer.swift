// SPDX-License-Identifier: Apache-2.0

// A client that writes its messages byte by byte, as no library would make them.
// https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol

import Foundation
import TestSupport

/// Messages that no library would send.
enum RawMessage: CaseIterable {
  case longMember
  case longInterface
  case longPath
  case noMessage

  var bytes: [UInt8] {
    let long = String(repeating: "a", count: 65_536)
    switch self {
    case .longMember: return Self.call(member: long)
    case .longInterface: return Self.call(interface: "org.\(long)", member: "MeasureOrientation")
    case .longPath: return Self.call(path: "/\(long)", member: "MeasureOrientation", serial: 3)
    case .noMessage: return [UInt8](repeating: 0x6c, count: 4096)
    }
  }

  /// A method call of the daemon, or of the bus.
  static func call(
    destination: String = Daemon.busName, path: String = Daemon.objectPath,
    interface: String = Daemon.deviceInterface, member: String, serial: UInt32 = 2
  ) -> [UInt8] {
    var fields: [UInt8] = []
    for (code, type, value) in [(1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination)]
      as [(UInt8, String, String)]
    {
      fields += [UInt8](repeating: 0, count: -fields.count & 7)
      fields += [code, 1] + type.utf8 + [0]
      fields += littleEndian(UInt32(value.utf8.count)) + value.utf8 + [0]
    }
    let padding = [UInt8](repeating: 0, count: -fields.count & 7)
    // Little-endian, a method call, no flags, version 1; no body.
    let start = [UInt8(ascii: "l"), 1, 0, 1] + littleEndian(0) + littleEndian(serial)
    return start + littleEndian(UInt32(fields.count)) + fields + padding
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// A connection to a bus that takes any bytes.
final class RawPeer {
  private let descriptor: Int32

  init(on bus: PrivateBus) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: bus.address.dropFirst("unix:path=".count).utf8)
    }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw GaveUp(description: "connect: errno \(errno)") }
    let user = "\(getuid())".utf8.map { String($0, radix: 16) }.joined()
    try send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
    try waitForAnswer()
    try send(
      Array("BEGIN\r\n".utf8)
        + RawMessage.call(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "Hello", serial: 1))
    try waitForAnswer()
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A bus may well hang up before it has all of what it does not like.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for bytes, and drops them.
  func waitForAnswer() throws {
    guard try receive() > 0 else { throw GaveUp(description: "the bus has hung up") }
  }

  /// Waits until the bus has hung up.
  func waitForEnd() throws {
    while try receive() > 0 {}
  }

  private func receive() throws -> Int {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, Int32(patience.components.seconds) * 1000) == 1 else {
      throw GaveUp(description: "no word from the bus")
    }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    return recv(descriptor, &bytes, bytes.count, 0)
  }
}
