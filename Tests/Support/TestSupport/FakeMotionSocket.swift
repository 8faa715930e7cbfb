// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Orientation

/// SOCK_STREAM, which is an enumerator.
private let stream: CInt = 1
/// MSG_DONTWAIT and MSG_NOSIGNAL, which are, too.
private let (withoutWaiting, withoutSignal): (CInt, CInt) = (0x40, 0x4000)

/// A motion socket that a test serves instead of the daemon.
package final class FakeMotionSocket {
  private let folder: TemporaryFolder
  /// Where programs connect to it.
  package let path: String
  private var listener: CInt = -1
  /// What listens, for a real daemon that it is passed to.
  package var descriptor: CInt { listener }

  /// Makes the socket, and listens.
  ///
  /// - Parameter isListening: whether it is there from the start.
  /// - Throws: ``GaveUp`` if it cannot be made.
  package init(isListening: Bool = true) throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/motion"
    if isListening { try listen() }
  }

  deinit { stop() }

  /// Listens, as a daemon that starts.
  package func listen() throws {
    listener = socket(AF_UNIX, stream, 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, Glibc.listen(listener, 64) == 0 else {
      throw GaveUp(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  /// Ends, as a daemon whose socket is removed; connections stay.
  package func stop() {
    guard listener >= 0 else { return }
    close(listener)
    unlink(path)
    listener = -1
  }

  /// Waits for a program that connects.
  package func accept() throws -> FakeMotionConnection {
    var descriptor: CInt = -1
    try wait(for: "a connection to the motion socket") {
      descriptor = Glibc.accept(listener, nil, nil)
      return descriptor >= 0
    }
    return FakeMotionConnection(adopting: descriptor)
  }
}

/// A connection of a program to a ``FakeMotionSocket``, which is closed with its last reference.
package final class FakeMotionConnection {
  private let descriptor: CInt
  private var isOpen = true
  /// The requests that were read so far.
  package private(set) var requests: [MotionRequest] = []
  /// Whether the program has closed the connection.
  package private(set) var isEnded = false

  fileprivate init(adopting descriptor: CInt) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { end() }

  /// Closes it, as a daemon that ends.
  package func end() {
    if isOpen { close(descriptor) }
    isOpen = false
  }

  /// Reads what the program has sent.
  package func read() {
    var bytes = [UInt8](repeating: 0, count: MotionRequest.byteCount)
    while isOpen, !isEnded {
      let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, withoutWaiting) }
      if count == 0 || (count < 0 && errno == ECONNRESET) { isEnded = true }
      guard count > 0 else { return }
      if let request = bytes.withUnsafeBytes({ MotionRequest($0) }) { requests.append(request) }
    }
  }

  /// Waits until the program has sent so many requests in all.
  package func wait(forRequests count: Int) throws {
    do {
      try TestSupport.wait(for: "\(count) requests") {
        read()
        return requests.count >= count
      }
    } catch let failure as GaveUp {
      throw GaveUp(description: "\(failure.description); has sent: \(requests)")
    }
  }

  /// Waits until the program closes the connection.
  package func waitForEnd() throws {
    try TestSupport.wait(for: "the end of a connection to the motion socket") {
      read()
      return isEnded
    }
  }

  /// Waits until the program has read all that was sent.
  package func waitUntilRead() throws {
    try TestSupport.wait(for: "a program that reads") {
      var unread: CInt = 1
      // SIOCOUTQ
      return ioctl(descriptor, 0x5411, &unread) < 0 || unread == 0
    }
  }

  /// Sends a record; waits while the queue is full.
  package func send(_ record: MotionRecord) throws {
    var bytes = [UInt8](repeating: 0, count: MotionRecord.byteCount)
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { record.write(to: start) } }
    try send(bytes)
  }

  /// Sends any bytes.
  package func send(_ bytes: [UInt8]) throws {
    try TestSupport.wait(for: "room for a record") {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, withoutWaiting | withoutSignal)
      }
      return sent >= 0 || errno != EAGAIN
    }
  }

  /// Sends a state.
  package func send(_ state: MotionState, of sensor: MotionSensor?) throws {
    try send(MotionRecord(sensor: sensor, time: BootTime(nanoseconds: 1), content: .state(state)))
  }

  /// Sends a sample.
  package func send(
    _ sensor: MotionSensor, _ x: Float, _ y: Float, _ z: Float, at seconds: Double = 1, lost: UInt32 = 0
  ) throws {
    let time = BootTime(nanoseconds: Int64(seconds * 1e9))
    try send(MotionRecord(sensor: sensor, lost: lost, time: time, content: .sample(x: x, y: y, z: z)))
  }
}
