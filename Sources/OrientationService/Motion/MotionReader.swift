// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation
import Systemd

/// A program that is connected to the motion socket, as the main thread sees it.
final class MotionReader {
  let connection: MotionConnection
  let peer: PacketPeer
  /// Who it is, in accounts; its user is unknown at first.
  private(set) var caller: Caller
  /// The streams that it has started, of which the hold is not known here.
  private(set) var streams: [MotionPlan.Stream] = []
  /// The question for its user.
  var question: Slot?
  /// Its requests; nil until its user is known.
  var requests: EventSource?

  /// Creates a reader without streams.
  init(_ connection: MotionConnection, peer: consuming PacketPeer, caller: Caller) {
    self.connection = connection
    self.peer = peer
    self.caller = caller
  }

  // The loop forgets the descriptor before it is closed.
  deinit { requests = nil }

  /// Whether its user is known, and polkit can be asked about its process.
  ///
  /// polkit allows root whatever process it is asked about, and nobody else has the service's own user.
  var isIdentified: Bool { peer.user != .unknown && (peer.isCertain || peer.user.isOne(of: [0, geteuid()])) }

  /// Records its user.
  func become(_ user: ConnectionUser) { caller = Caller(client: caller.client, user: user) }

  /// Starts a stream, or starts it with another interval.
  func start(_ stream: MotionPlan.Stream) {
    stop(stream.sensor)
    streams.append(stream)
  }

  /// Ends a stream.
  func stop(_ sensor: MotionSensor) { streams.removeAll { $0.sensor == sensor } }

  /// The streams as the sending thread sees them.
  ///
  /// - Parameter isAllowed: whether polkit allows them; nil if it has not answered yet.
  /// - Returns: the streams.
  func planned(isAllowed: Bool?) -> [MotionPlan.Stream] {
    let hold: MotionState? =
      switch isAllowed {
      case true?: nil
      case false?: .denied
      case nil: .waiting
      }
    return streams.map { stream in
      var stream = stream
      stream.hold = hold
      return stream
    }
  }

  /// The next request.
  enum Packet {
    case request(MotionRequest)
    case invalid
    /// There is none yet.
    case none
    /// The program has closed the connection.
    case end
  }

  /// Takes the next packet.
  func nextPacket() -> Packet {
    // Only what has been looked at is received: nobody waits here for what the kernel does with descriptors.
    switch CLinux.nextPacket(connection.descriptor) {
    case 0: return receive()
    case 1: return .invalid
    case -1: return .none
    default: return .end
    }
  }

  /// Receives the packet that is first in the queue, which has no descriptors.
  private func receive() -> Packet {
    withUnsafeTemporaryAllocation(byteCount: MotionRequest.byteCount, alignment: 8) { bytes in
      guard let start = bytes.baseAddress else { return .none }
      let count = receivePacket(connection.descriptor, start, size: bytes.count)
      guard count != 0 else { return .end }
      guard count > 0 else {
        switch errno {
        // The error of the other end comes before the packet.
        case EAGAIN, EINTR, ECONNRESET: return .none
        default: return .end
        }
      }
      guard count == bytes.count else { return .invalid }
      return MotionRequest(UnsafeRawBufferPointer(bytes)).map { .request($0) } ?? .invalid
    }
  }
}
