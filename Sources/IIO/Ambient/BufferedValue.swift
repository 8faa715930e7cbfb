// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

// A hub tells of a value when it has changed by as much as its sensitivity says, and is silent rightly while it has not.
// So a silence means nothing by itself: from time to time, and ever more seldom, the hub is asked through the attribute.
// A hub that answers with something else than its buffer said, twice in a row, has a buffer that is of no use.

/// The values of an ``AmbientSensor`` that come through the buffer of a HID sensor hub.
package struct BufferedValue: ~Copyable, ValueSource {
  /// How long a silence lasts until the hub is asked about it for the first time, and at most, in seconds.
  private static let shortestSilence = BufferedSource.silenceLimit
  private static let longestSilence = 30.0
  /// By how much an answer may differ from what was said last, in counts and as a part of it: sensitivities of hubs are
  /// up to a tenth for light.
  private static let leastDifference = (counts: 1.0, part: 0.1)
  /// The rate at which a hub is enabled, in hertz: the kernel waits for two of its reports then
  /// (hid_sensor_power_state in hid-sensor-trigger.c), which would take a second at the rate after that.
  private static let openingRate = 10.0
  /// How long a descriptor that is readable and has nothing is left alone, in seconds.
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
  ///   - neighbour: who may have left the buffer on; nil takes one that is on for one in use.
  ///   - mark: the file that says what is set, while it is; nil leaves none.
  /// - Throws: ``SourceError``: `noBuffer` where it can only be polled, `busy` where another program has the buffer,
  ///   `vanished`, `malformed`, `permissionDenied`.
  package init(
    _ sensor: AmbientSensor, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    guard let context = try IIOContext.local() else { throw .vanished(device: sensor.name) }
    let (device, channel) = try context.find(sensor)
    let claim = try BufferClaim(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    device.powerDownIfIdle()
    let frequencies = device.availableFrequencies(of: channel)
    _ = device.setSamplingFrequency(
      frequencies.choices(for: Self.openingRate), of: channel, keeping: settings)
    device.setTriggerIfNone(in: context, keeping: settings)
    let attribute = sensor.channel.attribute
    // Drivers of hubs put all that the hub measures into each scan, whatever is enabled: one alone would show the first of
    // them (seen with hid-sensor-magn-3d of Linux 6.1).
    let channels = device.scanElements.filter { $0.id != "timestamp" }
    let place = try ScanPlace(of: channel, among: channels, name: sensor.name)
    let scale = try channel.scale(of: attribute, measuring: sensor.measure)
    let answer = try AttributeFile(path: channel.path(of: attribute.rawValue))
    if let path = device.samplingFrequencyPath(of: channel) { settings.keep(file: path) }
    let buffer = try IIOBuffer(
      claim, of: device, channels: channels, blockLength: 1, watermark: 1, settings: settings)
    _ = device.setSamplingFrequency(
      frequencies.choices(for: sensor.kind.rate), of: channel, keeping: settings)
    // The device belongs to it.
    _ = consume context
    self.device = sensor.name
    self.place = place
    self.scale = scale
    self.answer = answer
    self.buffer = buffer
    block = ScanBlock(byteCount: place.scanSize * IIOBuffer.blocksInKernel)
  }

  /// Waits for the hub to tell of a value, or asks it after a silence.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the latest value; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `silent` with a buffer that gives nothing, `vanished` with the device gone, or the
  ///   driver's errno.
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
      // A descriptor that is always readable never lets the wait come to its deadline.
      if result == .deadline || .now >= deadline { return try ask() }
      // Readable and nothing to read: a driver that says so for ever must not get a loop without pause.
      if wakeUp.wait(seconds: Self.emptyPause) == .signalled { return nil }
    }
  }

  /// The latest of what the driver has, in counts; nil where it has nothing.
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
    // No driver ends the stream; a descriptor that does will say nothing more.
    guard bytes < 0 else { throw .vanished(device: device) }
    guard code == EAGAIN || code == EINTR else {
      throw SourceError(code: code, subject: device, operation: "reading the buffer of")
    }
    try buffer.checkOwnership()
    return nil
  }

  /// Asks the hub, as its buffer is silent.
  private mutating func ask() throws(SourceError) -> Double {
    // A hub that is enabled tells of the present value; one that does not has a buffer that does not work.
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

/// Where a channel is in a scan.
private struct ScanPlace: BitwiseCopyable {
  /// The bytes that each scan takes.
  let scanSize: Int
  private let byteOffset: Int
  private let format: ScanFormat

  /// Finds the place of a channel in scans that hold these channels.
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
