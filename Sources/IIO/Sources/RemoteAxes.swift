// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux
import Orientation

/// The axes of an accelerometer of another machine, polled through libiio.
///
/// Each read is a round trip to iiod with a time limit, so a lost connection is noticed and does not make the daemon hang.
@usableFromInline  // for its deinit, as AttributeFile
struct RemoteAxes: ~Copyable {
  private let x: RemoteAxis
  private let y: RemoteAxis
  /// Nil for a sensor without this axis.
  private let z: RemoteAxis?
  // Declared last, and only stored: the attributes belong to it.
  private let context: RemoteContext

  /// Connects to iiod, and opens the sensor that discovery described at this address.
  ///
  /// - Throws: ``SourceError``: `unreachable` if there is no iiod, `vanished` if the sensor is no longer there,
  ///   `missingAttribute` without a scale, `malformed`.
  init(of sensor: SensorDescription, at address: IIOAddress, rate: Double) throws(SourceError) {
    let context = try RemoteContext.open(
      address, timeoutMilliseconds: RemoteContext.openingTimeoutMilliseconds)
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
    try context.setTimeout(milliseconds: RemoteContext.timeoutMilliseconds)
    (self.x, self.y, self.z) = (x, y, z)
    self.context = context
  }

  /// Requests the three axes from iiod.
  ///
  /// - Throws: ``SourceError``: `unreachable` if the connection is lost or a read times out, `vanished` if iiod has lost
  ///   the device.
  borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
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
