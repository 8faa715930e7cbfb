// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
public import Orientation

/// An accelerometer of another machine, polled through libiio.
///
/// Each read is a round trip to iiod with a time limit, so a lost connection is noticed and does not make the daemon hang.
public struct RemoteSource: ~Copyable, SampleSource {
  /// How long one read may take, in milliseconds.
  ///
  /// A read cannot be interrupted, and the daemon must end within a second of SIGTERM: this is half of that.
  public static let timeoutMilliseconds = 500

  /// How long it may take to connect and to read all properties of a sensor, in milliseconds: libiio's own limit.
  public static let openingTimeoutMilliseconds = 5000

  private let x: RemoteAxis
  private let y: RemoteAxis
  /// Nil for a sensor without this axis.
  private let z: RemoteAxis?
  private var ticker: Ticker
  // Declared last, and only stored: the attributes belong to it.
  private let context: RemoteContext

  /// The rate of the reads, in hertz.
  public var sampleRate: Double { ticker.rate }

  /// Connects to iiod, and opens the sensor that discovery described at this address.
  ///
  /// - Throws: ``SourceError``: `unreachable` if there is no iiod, `vanished` if the sensor is no longer there,
  ///   `missingAttribute` without a scale, `malformed`.
  public init(_ sensor: SensorDescription, at address: IIOAddress, rate: Double) throws(SourceError) {
    let context = try RemoteContext.open(address, timeoutMilliseconds: Self.openingTimeoutMilliseconds)
    // The machine may have been restarted, with another device of this name.
    guard
      let device = context.machine(from: .kernel).devices.first(where: {
        $0.id == sensor.id && $0.name == sensor.name && $0.label == sensor.label
          && $0.files == sensor.device.files
      })
    else { throw .vanished(device: sensor.displayName) }
    let attributes = context.attributes(of: device)
    func axis(_ axis: Axis) throws(SourceError) -> RemoteAxis {
      try RemoteAxis(axis, of: device, measuring: sensor.quantity, among: attributes, at: address)
    }
    let x = try axis(.x)
    if let file = x.channel.file(of: "sampling_frequency"),
      let frequency = attributes.first(where: { $0.file == file })
    {
      _ = sensor.availableFrequencies.choices(for: rate).first { frequency.write("\($0)") != EINVAL }
    }
    let y = try axis(.y)
    let z = sensor.lacksZ ? nil : try axis(.z)
    try context.checkAnswers()
    try context.setTimeout(milliseconds: Self.timeoutMilliseconds)
    (self.x, self.y, self.z) = (x, y, z)
    self.context = context
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and requests the three axes from iiod; a read that has begun ends with its time limit.
  ///
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
    Acceleration(x: try x.acceleration(), y: try y.acceleration(), z: try z?.acceleration() ?? 0)
  }
}

/// One axis of a sensor behind iiod.
private struct RemoteAxis {
  let channel: IIOChannel
  private let attribute: LibiioAttribute
  private let scale: ChannelScale
  private let address: IIOAddress

  init(
    _ axis: Axis, of device: IIODevice, measuring quantity: AxisQuantity, among attributes: [LibiioAttribute],
    at address: IIOAddress
  ) throws(SourceError) {
    let (channel, name, scale) = try device.axis(axis, measuring: quantity)
    guard let file = channel.file(of: name), let attribute = attributes.first(where: { $0.file == file })
    else {
      throw .missingAttribute(path: channel.path(of: name))
    }
    (self.channel, self.attribute, self.scale, self.address) = (channel, attribute, scale, address)
  }

  func acceleration() throws(SourceError) -> Double {
    var text: InlineArray<64, UInt8> = .init(repeating: 0)
    var number: Double?
    let result = withUnsafeMutableBytes(of: &text) { bytes in
      guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return 0 }
      let result = attribute.read(into: start, bytes.count)
      let end = bytes.firstIndex(of: 0) ?? bytes.count
      number = decimalNumber(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      return result
    }
    if result > 0, let number { return scale.value(raw: number) }
    switch CInt(clamping: -result) {
    case ...0:
      let said = withUnsafeBytes(of: &text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      throw .malformed(path: "\(address): \(attribute.file)", text: said, reason: "a number was expected")
    // libiio 0.24 reports a timeout as a broken pipe.
    case ETIMEDOUT, ECONNRESET, EPIPE, ENOTCONN, EBADF:
      throw .unreachable(host: "\(address)", reason: "the connection is lost")
    case let code:
      throw SourceError(code: code, subject: "\(address)", operation: "reading \(channel.id) from")
    }
  }
}
