// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// Accepts the connections to the motion socket.
final class MotionListener {
  /// The name of the socket in its unit (`FileDescriptorName=`).
  static let name = "orientationd-motion"
  /// How many connections are accepted at a time: calls on the bus must get their turn.
  private static let batch = 32
  /// The same while very many wait to be closed: who fills the room for them needs an hour and more.
  private static let slowBatch = 4
  /// How many those are.
  private static let many = 4096
  /// How long to wait if there are no descriptors left, in seconds: the socket stays readable meanwhile.
  private static let pauseSeconds = 1.0
  /// How long to wait after a program was refused, or while there is no room, in seconds: one that connects again and again must not
  /// keep the daemon busy.
  private static let restSeconds = 0.05

  private let loop: EventLoop
  private let sockets: PassedSockets
  private let hasRoom: () -> Bool
  private let handle: (_ connection: CInt) -> Void
  private var arrivals: EventSource?
  private var timer: Timer?
  private var isResting = false

  /// Accepts connections from here on.
  ///
  /// - Parameters:
  ///   - sockets: the listening socket, and what comes with it.
  ///   - loop: the loop of this thread.
  ///   - hasRoom: whether another connection may be accepted; others wait in the kernel's queue.
  ///   - handle: is given the descriptor of each connection.
  /// - Throws: `BusError` if the loop cannot wait for it.
  init(
    on sockets: consuming PassedSockets, loop: EventLoop,
    hasRoom: @escaping () -> Bool, handle: @escaping (_ connection: CInt) -> Void
  ) throws(BusError) {
    // It fails before Linux 6.16; see `DescriptorCloser`.
    _ = refuseDescriptors(sockets.listener.number)
    self.loop = loop
    self.sockets = sockets
    self.hasRoom = hasRoom
    self.handle = handle
    timer = try BusError.wrapping { () throws(SystemdError) in
      try loop.timer { [unowned(unsafe) self] in
        isResting = false
        listen()
      }
    }
    listen()
  }

  /// A socket of the kernel's socket diagnostics; negative if there is none.
  var diagnostics: CInt { sockets.diagnostics.number }

  /// Accepts no further connections for a moment.
  func rest() { rest(forSeconds: Self.restSeconds) }

  private func rest(forSeconds seconds: Double) {
    arrivals = nil
    isResting = true
    timer?.arm(afterSeconds: seconds)
  }

  // The loop forgets the descriptor before it is closed.
  deinit { arrivals = nil }

  private func listen() {
    guard !isResting, arrivals == nil else { return }
    // It fails only if the loop has ended, or there is no memory.
    arrivals = try? loop.onReadable(sockets.listener.number) { [unowned(unsafe) self] in accept() }
  }

  private func accept() {
    for _ in 0..<(DescriptorCloser.shared.count < Self.many ? Self.batch : Self.slowBatch) {
      guard hasRoom() else { return rest() }
      let connection = acceptConnection(sockets.listener.number)
      if connection >= 0 {
        handle(connection)
        continue
      }
      switch errno {
      case EMFILE, ENFILE, ENOMEM, ENOBUFS:
        return rest(forSeconds: Self.pauseSeconds)
      case ECONNABORTED, EINTR: continue
      default: return
      }
    }
  }
}
