// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The service manager's end of sd_notify(3).
final class NotifySocket {
  private let folder: TemporaryFolder
  private let descriptor: Int32

  /// What NOTIFY_SOCKET is set to.
  let path: String

  /// The lines received so far, in order.
  private(set) var lines: [String] = []

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/notify"
    descriptor = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw GaveUp(description: "bind \(path): errno \(errno)") }
  }

  deinit { close(descriptor) }

  /// Whether a line has been received.
  func hasReceived(_ line: String) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return lines.contains(line) }
      lines += String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
