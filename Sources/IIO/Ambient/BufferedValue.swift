// SPDX-License-Identifier: Apache-2.0

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

  private let buffer: IIOBuffer
  private let block: ScanBlock
  private let element: ScanElement
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
    var scan: [ScanChannel] = []
    for channel in channels { scan.append(try channel.scanChannel()) }
    let layout = try ScanLayout(scan, of: sensor.name)
    let element = try layout.element(channel.id)
    let scale = try channel.scale(of: attribute, measuring: sensor.measure)
    let answer = try AttributeFile(path: channel.path(of: attribute.rawValue))
    if let file = channel.samplingFrequencyFile { settings.keep(file) }
    let buffer = try IIOBuffer(
      claim, of: device, channels: channels, blockLength: 1, watermark: 1, settings: settings)
    _ = channel.setSamplingFrequency(frequencies.choices(for: sensor.kind.rate), keeping: settings)
    self.element = element
    self.scale = scale
    self.answer = answer
    self.buffer = buffer
    block = ScanBlock(scanSize: layout.scanSize, capacity: IIOBuffer.blocksInKernel)
  }

  /// Waits for a report of the hub, and polls it after a silence; a slow read of a driver cannot be interrupted.
  ///
  /// - Throws: ``SourceError``: `silent` if the buffer delivers nothing, `vanished` if the device is gone, or the error for
  ///   the driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Double? {
    var count = 0
    let end = try wakeUp.wait(forBlockOf: buffer.fileDescriptor, within: silence) { () throws(SourceError) in
      count = try buffer.read(into: block)
      return count > 0
    }
    switch end {
    case .interruption: return nil
    case .silence: return try ask()
    case .block:
      silence = Self.shortestSilence
      contradictions = 0
      return value(element.value(inScanAt: block.scan(count - 1)))
    }
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

  private var silent: SourceError { .silent(device: buffer.device, seconds: Self.shortestSilence) }

  private mutating func value(_ raw: Double) -> Double {
    last = raw
    return scale.value(raw: raw)
  }
}
