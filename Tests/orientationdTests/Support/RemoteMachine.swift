// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import TestSupport

/// Another machine, on a port of this one: what Debian's iiod shows of a mock kernel, or nothing.
final class RemoteMachine {
  private let port: UInt16
  private var iiod: ChildProcess?
  private var listener: CInt?

  /// Picks a port where nobody listens.
  init() throws {
    (listener, port) = try Self.listen()
    stopListening()
  }

  deinit { stopListening() }

  /// Host and port.
  var host: String { "127.0.0.1:\(port)" }

  /// What `--sensor` takes.
  var sensor: String { "ip:\(host)" }

  /// Starts iiod, without waiting for it.
  func start(_ kernel: borrowing MockKernel) throws {
    iiod = try ChildProcess("/usr/sbin/iiod", ["-p", "\(port)"], environment: kernel.environment)
  }

  /// Ends iiod so that it cannot say goodbye.
  func kill() throws {
    iiod?.send(SIGKILL)
    try iiod?.exitCode()
  }

  /// Has iiod answer nothing any more; the kernel still accepts connections for it.
  func freeze() { iiod?.send(SIGSTOP) }

  /// Accepts connections and says nothing.
  func keepSilent() throws {
    listener = try Self.listen(on: port).descriptor
  }

  private func stopListening() {
    if let listener { close(listener) }
    listener = nil
  }

  private static func listen(on port: UInt16 = 0) throws -> (descriptor: CInt, port: UInt16) {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var reuse: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        guard bind(descriptor, generic, length) == 0, Glibc.listen(descriptor, 8) == 0 else { return errno }
        getsockname(descriptor, generic, &length)
        return 0
      }
    }
    guard result == 0 else { throw GaveUp(description: "listening on port \(port): errno \(result)") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
