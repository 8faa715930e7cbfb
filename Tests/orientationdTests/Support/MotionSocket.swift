// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport

/// SOCK_STREAM, which is an enumerator.
private let stream: CInt = 1
/// MSG_DONTWAIT and MSG_NOSIGNAL, which are, too.
private let (withoutWaiting, withoutSignal): (CInt, CInt) = (0x40, 0x4000)

/// A socket for the daemon, as `orientationd-motion.socket` makes it.
final class MotionSocket {
  private let folder: TemporaryFolder
  let descriptor: CInt
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/motion"
    descriptor = socket(AF_UNIX, stream | CInt(O_CLOEXEC), 0)
    let result = withAddress(path) { bind(descriptor, $0, $1) }
    guard result == 0, listen(descriptor, 64) == 0 else {
      throw GaveUp(description: "\(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// Connects a program to it.
  func connect() throws -> MotionProgram { try MotionProgram(path) }
}

/// A program that reads motion.
final class MotionProgram {
  private let descriptor: CInt
  /// Everything that it has received.
  private(set) var records: [MotionRecord] = []
  /// Whether the daemon has closed the connection.
  private(set) var isClosed = false

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, stream | CInt(O_CLOEXEC), 0)
    let result = withAddress(path) { connect(descriptor, $0, $1) }
    guard result == 0 else { throw GaveUp(description: "connect: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// Starts a stream.
  func start(_ sensor: MotionSensor, every microseconds: UInt32) throws {
    guard let interval = MotionInterval(microseconds: microseconds) else {
      throw GaveUp(description: "no such interval")
    }
    send(.start(sensor, interval: interval))
  }

  func send(_ request: MotionRequest) { send(Self.bytes(of: request)) }

  static func bytes(of request: MotionRequest) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: MotionRequest.byteCount)
    bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { request.write(to: start) } }
    return bytes
  }

  /// Sends any bytes.
  func send(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, withoutWaiting | withoutSignal)
    }
  }

  /// Waits until the daemon has received all that was sent.
  func waitUntilReceived() throws {
    try TestSupport.wait(for: "a daemon that receives") {
      var unread: CInt = 1
      // SIOCOUTQ
      return ioctl(descriptor, 0x5411, &unread) < 0 || unread == 0
    }
  }

  /// Sends nothing from now on.
  func stopSending() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

  /// Refuses what comes from now on.
  func stopReading() { _ = shutdown(descriptor, CInt(SHUT_RD)) }

  /// Reads what has come.
  func read() {
    var bytes = [UInt8](repeating: 0, count: MotionRecord.byteCount)
    while true {
      let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, withoutWaiting) }
      if count == 0 || (count < 0 && errno == ECONNRESET) { isClosed = true }
      guard count > 0 else { return }
      if let record = bytes.withUnsafeBytes({ MotionRecord($0) }) { records.append(record) }
    }
  }

  /// The states so far, without repetitions of samples in between.
  var states: [MotionState] {
    records.compactMap { if case .state(let state) = $0.content { state } else { nil } }
  }

  /// The states so far, without those that the daemon does not send if they are over before there is time to.
  var lastingStates: [MotionState] { states.filter { $0 != .starting && $0 != .waiting } }

  /// The samples of a sensor so far.
  func samples(of sensor: MotionSensor) -> [MotionRecord] {
    records.filter { if case .sample = $0.content { $0.sensor == sensor } else { false } }
  }

  /// Waits for a state as the latest one.
  func wait(for state: MotionState) throws {
    try TestSupport.wait(for: "the state \(state), after \(states)") {
      read()
      return states.last == state
    }
  }

  /// Waits until there are more samples of a sensor than now.
  func wait(forSamples count: Int, of sensor: MotionSensor) throws {
    let before = samples(of: sensor).count
    try TestSupport.wait(for: "\(count) samples of \(sensor), after \(states)") {
      read()
      return samples(of: sensor).count >= before + count
    }
  }

  /// Waits until the daemon closes the connection.
  func waitForEnd() throws {
    try TestSupport.wait(for: "the end of the connection") {
      read()
      return isClosed
    }
  }
}

private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
