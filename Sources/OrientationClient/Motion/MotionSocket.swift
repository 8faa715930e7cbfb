// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation
import Systemd

/// A connection to the daemon's motion socket, orientationd-motion(5).
struct MotionSocket: ~Copyable {
  /// How many records are received at a time: more than the daemon's queue holds.
  private static let recordsAtOnce = 128

  private let socket: OwnedFileDescriptor
  /// The part of a record that has come, without the rest.
  private var part: [UInt8] = []

  /// The descriptor, for waiting.
  var descriptor: CInt { socket.number }

  /// Connects, without waiting.
  ///
  /// - Returns: the connection; nil if the queue of connections is full, which it is for moments while others connect again and again.
  /// - Throws: ``OrientationError``: `daemonUnavailable` if nobody listens, `notAuthorized` if this user may not connect, `other` if this
  ///   process cannot, such as without a free descriptor.
  static func connect(to path: String) throws(OrientationError) -> MotionSocket? {
    let descriptor = connectStream(path)
    guard descriptor < 0 else { return MotionSocket(socket: OwnedFileDescriptor(adopting: descriptor)) }
    guard errno != EAGAIN else { return nil }
    throw OrientationError(connectingTo: path, code: errno)
  }

  /// Sends a request.
  ///
  /// If that fails, the daemon has closed the connection, and what it has said before can still be read: there is always room for the few
  /// requests of a loop.
  func send(_ request: MotionRequest) {
    let descriptor = descriptor
    withUnsafeTemporaryAllocation(byteCount: MotionRequest.byteCount, alignment: 8) { bytes in
      guard let start = bytes.baseAddress else { return }
      request.write(to: start)
      _ = sendBytes(descriptor, start, size: bytes.count)
    }
  }

  /// Receives what has come.
  ///
  /// - Returns: the records that this version knows, and whether the daemon has closed the connection.
  mutating func receive() -> (records: [MotionRecord], isEnd: Bool) {
    let size = MotionRecord.byteCount
    let (descriptor, part) = (descriptor, part)
    let (records, rest, isEnd) = withUnsafeTemporaryAllocation(
      byteCount: Self.recordsAtOnce * size, alignment: 8
    ) { bytes -> ([MotionRecord], [UInt8], Bool) in
      bytes.copyBytes(from: part)
      let place = UnsafeMutableRawBufferPointer(rebasing: bytes[part.count...])
      let received = receiveBytes(descriptor, place.baseAddress, size: place.count)
      guard received > 0 else { return ([], part, received == 0 || ![EAGAIN, EINTR].contains(errno)) }
      let count = part.count + received
      let end = count - count % size
      let records = stride(from: 0, to: end, by: size).compactMap {
        MotionRecord(UnsafeRawBufferPointer(rebasing: bytes[$0..<$0 + size]))
      }
      return (records, Array(bytes[end..<count]), false)
    }
    self.part = rest
    return (records, isEnd)
  }
}

extension OrientationError {
  /// Creates the error for a connection to a socket that failed with this errno.
  init(connectingTo path: String, code: CInt) {
    // EAGAIN: the queue stays full, because the daemon does not accept connections.
    let kind = code == EAGAIN ? .daemonUnavailable : Self(BusError(code: code, operation: "connect")).kind
    self.init(kind: kind, message: "\(path.printable): \(String(cString: strerror(code)))")
  }
}
