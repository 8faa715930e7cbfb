// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
public import Orientation

/// An accelerometer of another machine, polled through libiio's network protocol.
///
/// Each read is a round trip to iiod with a time limit, so a lost connection is noticed and does not make the daemon hang.
public struct NetworkSource: ~Copyable, SampleSource {
  /// How long one read may take, in milliseconds.
  ///
  /// A read cannot be interrupted, and the daemon must end within a second of SIGTERM: this is half of that.
  public static let timeoutMilliseconds = 500

  /// How long it may take to connect and to read all properties of a sensor, in milliseconds: libiio's own limit.
  public static let openingTimeoutMilliseconds = 5000

  private let x: NetworkAxis
  private let y: NetworkAxis
  private let z: NetworkAxis
  private let host: String
  private var ticker: Ticker
  // Declared last, and only stored: the channels belong to it.
  private let context: IIOContext

  /// The rate of the reads, in hertz.
  public var sampleRate: Double { ticker.rate }

  /// The reads that were skipped because an earlier one took too long.
  public var missedTicks: Int { ticker.missedTicks }

  /// Connects to iiod and opens a sensor there.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it through the same host.
  ///   - host: the host name or address of a machine that runs iiod.
  ///   - rate: the rate of the reads, in hertz.
  /// - Throws: ``SourceError``: `unreachable` if there is no iiod, `vanished` if the sensor is no longer there,
  ///   `missingAttribute` without a scale, `malformed`.
  public init(_ sensor: SensorDescription, host: String, rate: Double) throws(SourceError) {
    let context = try IIOContext.network(host: host, timeoutMilliseconds: Self.openingTimeoutMilliseconds)
    guard let device = context.device(of: sensor) else { throw .vanished(device: sensor.displayName) }
    _ = device.setSamplingFrequency(sensor.availableFrequencies.choices(for: rate))
    let x = try NetworkAxis(.x, of: device)
    let y = try NetworkAxis(.y, of: device)
    let z = try NetworkAxis(.z, of: device)
    try context.checkAnswers(of: host)
    try context.setTimeout(milliseconds: Self.timeoutMilliseconds, host: host)
    self.x = x
    self.y = y
    self.z = z
    self.host = host
    self.context = context
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and requests the three axes from iiod.
  ///
  /// - Parameter wakeUp: ends the wait when signalled; a read that has begun ends with its time limit.
  /// - Returns: the sample, with the time at which its last axis arrived; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `unreachable` if the connection is lost or a read times out, `vanished` if iiod has lost
  ///   the device.
  public mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    guard wakeUp.wait(until: ticker.nextTick) != .signalled else { return nil }
    let acceleration = try acceleration()
    let now = BootTime.now
    ticker.advance(now: now)
    return Sample(time: now, acceleration: acceleration)
  }

  /// Polls iiod from time to time, until the tablet leaves its rest.
  ///
  /// - Parameters:
  ///   - rest: the tablet's rest.
  ///   - wakeUp: ends the wait when signalled; a read that has begun ends with its time limit.
  /// - Returns: the first sample off the rest; nil when `wakeUp` was signalled.
  /// - Throws: as ``next(interruptedBy:)``.
  public mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    let start = BootTime.now
    while wakeUp.wait(seconds: ticker.pause(at: rest, since: start)) != .signalled {
      let acceleration = try acceleration()
      guard !rest.holds(acceleration) else { continue }
      let now = BootTime.now
      ticker.start(after: now)
      return Sample(time: now, acceleration: acceleration)
    }
    ticker.start(after: .now)
    return nil
  }

  private borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    Acceleration(
      x: try x.acceleration(host), y: try y.acceleration(host), z: try z.acceleration(host))
  }
}

/// One axis of a sensor behind iiod.
private struct NetworkAxis {
  private let channel: IIOChannel
  /// libiio's own channel, for reads without a copy.
  private let pointer: OpaquePointer
  private let attribute: StaticString
  private let scale: ChannelScale

  init(_ axis: Axis, of device: IIODevice) throws(SourceError) {
    guard let channel = device.inputChannel(axis.channel), case .libiio(let pointer) = channel.view else {
      throw .missingAttribute(path: "\(device.id) \(axis.channel)")
    }
    self.channel = channel
    self.pointer = pointer
    let isProcessed = !channel.has("raw") && channel.has("input")
    attribute = isProcessed ? "input" : "raw"
    scale = isProcessed ? .processed : try channel.scale()
  }

  func acceleration(_ host: String) throws(SourceError) -> Double {
    var text: InlineArray<64, UInt8> = .init(repeating: 0)
    var number: Double?
    let result = withUnsafeMutableBytes(of: &text) { bytes in
      let name = UnsafeRawPointer(attribute.utf8Start).assumingMemoryBound(to: CChar.self)
      let result = Libiio.functions.channel_attr_read(
        pointer, name, bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count)
      let end = bytes.firstIndex(of: 0) ?? bytes.count
      number = decimalNumber(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      return result
    }
    if result > 0, let number { return scale.acceleration(raw: number) }
    switch CInt(clamping: -result) {
    case ...0:
      let said = withUnsafeBytes(of: &text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw .malformed(
        path: "\(host): \(channel.id) \(attribute)", text: said, reason: "a number was expected")
    // libiio 0.24 reports a timeout as a broken pipe.
    case ETIMEDOUT, ECONNRESET, EPIPE, ENOTCONN, EBADF:
      throw .unreachable(host: host, reason: "the connection is lost")
    case let code: throw SourceError(code: code, subject: host, operation: "reading \(channel.id) from")
    }
  }
}
