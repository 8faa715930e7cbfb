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
  /// The bytes of the request that is being received, which may come in parts.
  private var request: (UInt64, UInt64) = (0, 0)
  /// How many of them have come.
  private var received = 0

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

  /// What comes next.
  enum Arrival {
    case request(MotionRequest)
    case invalid
    /// Nothing yet, or a part of a request.
    case none
    /// The program has closed the connection.
    case end
  }

  /// Takes the next request.
  func nextRequest() -> Arrival {
    withUnsafeMutableBytes(of: &request) { bytes in
      let place = UnsafeMutableRawBufferPointer(rebasing: bytes[received...])
      // Nobody waits here for what the kernel does with descriptors.
      switch receivePlainBytes(connection.descriptor, place.baseAddress, size: place.count) {
      case -2: return .invalid
      case -1: return .end
      case let count: received += count
      }
      guard received == bytes.count else { return .none }
      received = 0
      return MotionRequest(UnsafeRawBufferPointer(bytes)).map { .request($0) } ?? .invalid
    }
  }
}
