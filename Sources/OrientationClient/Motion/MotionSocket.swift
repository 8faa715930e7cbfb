// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation
import Systemd

/// A connection to the daemon's motion socket, orientationd-motion(5).
struct MotionSocket: ~Copyable {
  private let socket: OwnedFileDescriptor

  /// The descriptor, for waiting.
  var descriptor: CInt { socket.number }

  /// Connects, without waiting.
  ///
  /// - Returns: the connection; nil if the queue of connections is full, which it is for moments while others connect again and again.
  /// - Throws: ``OrientationError``: `daemonUnavailable` if nobody listens, `notAuthorized` if this user may not connect, `other` if this
  ///   process cannot, such as without a free descriptor.
  static func connect(to path: String) throws(OrientationError) -> MotionSocket? {
    let descriptor = connectPackets(path)
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
      guard let packet = bytes.baseAddress else { return }
      request.write(to: packet)
      _ = sendPacket(descriptor, packet, size: bytes.count)
    }
  }

  /// What has come.
  enum Packet {
    case record(MotionRecord)
    /// A packet that this version does not know.
    case other
    /// There is none yet.
    case nothing
    /// The daemon has closed the connection.
    case end
  }

  /// Takes the next packet.
  func next() -> Packet {
    let descriptor = descriptor
    return withUnsafeTemporaryAllocation(byteCount: MotionRecord.byteCount, alignment: 8) { bytes in
      guard let start = bytes.baseAddress else { return .nothing }
      let count = receivePacket(descriptor, start, size: bytes.count)
      if count == 0 { return .end }
      if count < 0 {
        switch errno {
        case EAGAIN, EINTR: return .nothing
        // Reported once, if the daemon has closed the connection before it had read a request; what it has sent before comes next.
        case ECONNRESET: return .other
        default: return .end
        }
      }
      guard count == bytes.count, let record = MotionRecord(UnsafeRawBufferPointer(bytes)) else {
        return .other
      }
      return .record(record)
    }
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
