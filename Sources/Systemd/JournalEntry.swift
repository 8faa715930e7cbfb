// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An entry of the journal as the bytes that journald takes.
struct JournalEntry {
  private(set) var bytes: [UInt8] = []

  /// Appends a field: `NAME=value`, or where the value has line breaks its length, 64 bits little-endian.
  mutating func append(_ name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    if value.utf8.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      let length = UInt64(value.utf8.count)
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: length >> shift))
      }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes.append(contentsOf: value.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Hands the entry to journald.
  ///
  /// What it does not take within 0.1 s is lost: there is nobody to tell.
  func send(to socketPath: String) {
    let socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return }
    defer { close(socket) }
    var patience = timeval(tv_sec: 0, tv_usec: 100_000)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { path in
      guard socketPath.utf8.count < path.count else { return false }
      path.copyBytes(from: socketPath.utf8)
      return true
    }
    guard fits else { return }
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          socket, bytes, bytes.count, CInt(MSG_NOSIGNAL), $0,
          socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
