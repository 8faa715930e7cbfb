// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A port that leads to a server on another one, and holds up one piece of what the server says.
final class SlowRelay: @unchecked Sendable {
  // Unchecked: nothing changes after the initializer.

  /// The host and port to connect to.
  let host: String
  private let listener: CInt
  private let server: UInt16
  private let slowPiece: Int
  private let delay: UInt32

  /// Starts it; it goes on until the process ends.
  ///
  /// - Parameters:
  ///   - server: host and port of the server on this machine.
  ///   - slowPiece: which piece of each connection is held up, from 0.
  ///   - milliseconds: for how long.
  init(to server: String, slowPiece: Int, milliseconds: UInt32) {
    self.slowPiece = slowPiece
    self.server = UInt16(server.split(separator: ":").last ?? "") ?? 0
    delay = milliseconds * 1000
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      let generic = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      _ = bind(listener, generic, length)
      _ = getsockname(listener, generic, &length)
    }
    listen(listener, 8)
    self.listener = listener
    host = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    start { relay in
      while true {
        let client = accept(relay.listener, nil, nil)
        relay.start { $0.serve(client) }
      }
    }
  }

  private func serve(_ client: CInt) {
    let upstream = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: server)
    _ = withUnsafeMutableBytes(of: &address) { bytes in
      connect(upstream, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    }
    start { _ in Self.copy(from: client, to: upstream) { _ in } }
    Self.copy(from: upstream, to: client) { [slowPiece, delay] in if $0 == slowPiece { usleep(delay) } }
  }

  private static func copy(from source: CInt, to destination: CInt, before piece: (Int) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 65536)
    for number in 0... {
      let count = recv(source, &bytes, bytes.count, 0)
      guard count > 0 else { break }
      piece(number)
      guard send(destination, bytes, count, CInt(MSG_NOSIGNAL)) == count else { break }
    }
    shutdown(destination, CInt(SHUT_WR))
  }

  private func start(_ body: @escaping @Sendable (SlowRelay) -> Void) {
    let work = Unmanaged.passRetained(Work(relay: self, body: body))
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { work in
        guard let work else { return nil }
        let taken = Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
        taken.body(taken.relay)
        return nil
      }, work.toOpaque())
    pthread_detach(thread)
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }
}

/// What a thread of the relay does.
private final class Work {
  let relay: SlowRelay
  let body: @Sendable (SlowRelay) -> Void

  init(relay: SlowRelay, body: @escaping @Sendable (SlowRelay) -> Void) {
    (self.relay, self.body) = (relay, body)
  }
}
