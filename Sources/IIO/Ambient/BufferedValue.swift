// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

// A hub reports a value when it has changed by its sensitivity, and is silent while it has not. So a silence alone means
// nothing: the hub is polled through the attribute from time to time, with growing pauses. If the hub's answer differs from
// the last report twice in a row, its buffer does not work.

/// The values of an ``AmbientSensor`` that come through the buffer of a HID sensor hub.
package struct BufferedValue: ~Copyable, ValueSource {
  /// How long a silence lasts before the hub is polled for the first time, and at most, in seconds.
  private static let shortestSilence = BufferedSource.silenceLimit
  private static let longestSilence = 30.0
  /// How much an answer may differ from the last report, in counts and as a fraction of it: sensitivities of hubs are up to
  /// a tenth for light.
  private static let leastDifference = (counts: 1.0, part: 0.1)
  /// The rate at which a hub is enabled, in hertz: the kernel then waits for two of its reports (hid_sensor_power_state in
  /// hid-sensor-trigger.c), which would take a second at the rate that is set afterwards.
  private static let openingRate = 10.0
  /// The pause after a wait that returned a readable descriptor without data, in seconds.
  private static let emptyPause = 0.02

  private let device: String
  private let buffer: IIOBuffer
  private let block: ScanBlock
  private let place: ScanPlace
  private let scale: ChannelScale
  private let answer: AttributeFile
  private var silence = BufferedValue.shortestSilence
  private var last: Double?
  private var contradictions = 0

  /// Opens a sensor and powers it up.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - neighbour: the program that may have left the buffer enabled; if nil, an enabled buffer counts as in use.
  ///   - mark: the file that records what is set, as long as it is set; nil writes none.
  /// - Throws: ``SourceError``: `noBuffer` if it can only be polled, `busy` if another program uses the buffer, `vanished`,
  ///   `malformed`, `permissionDenied`.
  package init(
    _ sensor: AmbientSensor, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    let (device, channel) = try sensor.present()
    let claim = try BufferClaim(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    device.powerDownIfIdle()
    let frequencies = channel.availableFrequencies
    _ = channel.setSamplingFrequency(frequencies.choices(for: Self.openingRate), keeping: settings)
    device.setTriggerIfNone(keeping: settings)
    let attribute = sensor.channel.attribute
    // Drivers of hubs put all values of the hub into each scan, whatever is enabled: a single enabled channel would contain
    // the value of the first one (seen with hid-sensor-magn-3d of Linux 6.1).
    let channels = device.scanElements.filter { $0.id != "timestamp" }
    let place = try ScanPlace(of: channel, among: channels, name: sensor.name)
    let scale = try channel.scale(of: attribute, measuring: sensor.measure)
    let answer = try AttributeFile(path: channel.path(of: attribute.rawValue))
    if let path = channel.samplingFrequencyPath { settings.keep(file: path) }
    let buffer = try IIOBuffer(
      claim, of: device, channels: channels, blockLength: 1, watermark: 1, settings: settings)
    _ = channel.setSamplingFrequency(frequencies.choices(for: sensor.kind.rate), keeping: settings)
    self.device = sensor.name
    self.place = place
    self.scale = scale
    self.answer = answer
    self.buffer = buffer
    block = ScanBlock(byteCount: place.scanSize * IIOBuffer.blocksInKernel)
  }

  /// Waits for a report of the hub, and polls it after a silence.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A slow read of a driver cannot be interrupted.
  /// - Returns: the latest value; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `silent` if the buffer delivers nothing, `vanished` if the device is gone, or the error for
  ///   the driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Double? {
    let deadline = BootTime.now.advanced(bySeconds: silence)
    while true {
      let result = wakeUp.wait(for: buffer.fileDescriptor, until: deadline)
      guard result != .signalled else { return nil }
      if let raw = try latest() {
        silence = Self.shortestSilence
        contradictions = 0
        return value(raw)
      }
      // A descriptor that is always readable never lets the wait reach its deadline.
      if result == .deadline || .now >= deadline { return try ask() }
      // The descriptor is readable, but there is nothing to read: a driver that always does this must not cause a busy
      // loop.
      if wakeUp.wait(seconds: Self.emptyPause) == .signalled { return nil }
    }
  }

  /// The latest value of the driver, in counts; nil if it has none.
  private func latest() throws(SourceError) -> Double? {
    let bytes = read(buffer.nodeDescriptor, block.address, block.byteCount)
    let code = errno
    if bytes > 0 {
      guard bytes % place.scanSize == 0 else {
        throw .malformed(
          path: device, text: "\(bytes) bytes",
          reason: "a multiple of the scan's \(place.scanSize) bytes was expected")
      }
      return place.value(inScanAt: block.address + (bytes - place.scanSize))
    }
    // No driver ends the stream; a descriptor that does will deliver nothing more.
    guard bytes < 0 else { throw .vanished(device: device) }
    guard code == EAGAIN || code == EINTR else {
      throw SourceError(code: code, subject: device, operation: "reading the buffer of")
    }
    try buffer.checkOwnership()
    return nil
  }

  /// Polls the hub, because its buffer is silent.
  private mutating func ask() throws(SourceError) -> Double {
    // A hub reports its present value when it is enabled. If it did not, its buffer does not work.
    guard let last else { throw silent }
    let raw = try answer.number()
    let tolerance = max(Self.leastDifference.counts, Self.leastDifference.part * abs(last))
    contradictions = abs(raw - last) > tolerance ? contradictions + 1 : 0
    guard contradictions < 2 else { throw silent }
    silence = contradictions > 0 ? Self.shortestSilence : min(silence * 2, Self.longestSilence)
    return value(raw)
  }

  private var silent: SourceError { .silent(device: device, seconds: Self.shortestSilence) }

  private mutating func value(_ raw: Double) -> Double {
    last = raw
    return scale.value(raw: raw)
  }
}

/// The place of a channel in a scan.
private struct ScanPlace: BitwiseCopyable {
  /// The size of a scan, in bytes.
  let scanSize: Int
  private let byteOffset: Int
  private let format: ScanFormat

  /// Finds the place of a channel in scans with these channels.
  init(of channel: IIOChannel, among channels: [IIOChannel], name: String) throws(SourceError) {
    var elements: [ScanLayout.Element] = []
    for channel in channels {
      elements.append(ScanLayout.Element(index: channel.scanIndex, format: try channel.scanFormat()))
    }
    let layout = try ScanLayout(elements, of: name)
    guard let offset = layout.offset(ofIndex: channel.scanIndex) else {
      throw .noBuffer(device: name, reason: "\(channel.id) is no scan element")
    }
    scanSize = layout.scanSize
    byteOffset = offset
    format = try channel.scanFormat()
  }

  /// The channel's value in the scan at this address, in counts.
  func value(inScanAt scan: UnsafeRawPointer) -> Double { format.value(at: scan + byteOffset) }
}
