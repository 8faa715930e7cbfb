// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation
import Systemd

/// A program that is connected to the motion socket, as the main thread sees it.
final class MotionReader {
  /// What polkit has said about an action of this program.
  struct Permission {
    /// Nil until it has answered.
    var isAllowed: Bool?
    /// Whether it is being asked.
    var isAsked = false
    /// Whether its answers may have changed since it was asked.
    var isOutdated = false
  }

  /// A stream that the program has started.
  struct Stream {
    let number: UInt64
    let sensor: MotionSensor
    let interval: MotionInterval

    /// What polkit must allow.
    ///
    /// Gravity at the rate of a screen says as much as `GetGravity`: how the device is moved. More often, and with the readings of the
    /// sensors themselves, vibrations can be read.
    var action: AuthorizedAction {
      sensor == .gravity && interval.microseconds >= Self.shortestOfGravity ? .readGravity : .readMotion
    }

    /// 60 Hz, in microseconds.
    private static let shortestOfGravity: UInt32 = 16_666
  }

  let connection: MotionConnection
  let peer: PacketPeer
  /// Who it is, in accounts; its user is unknown at first.
  private(set) var caller: Caller
  private(set) var streams: [Stream] = []
  private var gravity = Permission()
  private var motion = Permission()
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

  /// Records its user.
  func become(_ user: ConnectionUser) { caller = Caller(client: caller.client, user: user) }

  /// Starts a stream, or starts it with another interval.
  func start(_ stream: Stream) {
    stop(stream.sensor)
    streams.append(stream)
  }

  /// Ends a stream.
  func stop(_ sensor: MotionSensor) { streams.removeAll { $0.sensor == sensor } }

  /// What polkit has said about an action.
  subscript(action: AuthorizedAction) -> Permission {
    get { action == .readGravity ? gravity : motion }
    set { if action == .readGravity { gravity = newValue } else { motion = newValue } }
  }

  /// The streams as the sending thread sees them.
  var planned: [MotionPlan.Stream] {
    streams.map { stream in
      let hold: MotionState? =
        switch self[stream.action].isAllowed {
        case true?: nil
        case false?: .denied
        case nil: .waiting
        }
      return MotionPlan.Stream(
        number: stream.number, connection: connection, sensor: stream.sensor, interval: stream.interval,
        hold: hold)
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
