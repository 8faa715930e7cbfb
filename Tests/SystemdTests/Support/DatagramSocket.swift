// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// A socket where a test listens in place of the service manager or journald.
final class DatagramSocket {
  let path: String
  private let folder: TemporaryFolder
  private let descriptor: CInt

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/socket"
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var guardTime = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &guardTime, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw GaveUp(description: "bind \(path): errno \(errno)") }
  }

  /// Waits for one datagram.
  func receive() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Waits for one datagram of text.
  func receiveText() -> String { String(decoding: receive(), as: UTF8.self) }

  deinit { close(descriptor) }
}
