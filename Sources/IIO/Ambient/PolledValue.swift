// SPDX-License-Identifier: Apache-2.0

/// The values of an ``AmbientSensor`` that is polled.
package struct PolledValue: ~Copyable, ValueSource {
  /// How many reads in a row may fail: chips refuse a read during a measurement, or when the light is too bright for the
  /// present gain, and answer the next one.
  static let patience = 3
  /// The longest period between two reads that a driver's integration time may cause, in seconds.
  private static let longestPeriod = 2.0

  private let file: AttributeFile
  private let settings: OwnSettings
  /// The buffer, while another program uses it.
  private var takenBuffer: Optional<TakenBuffer>
  /// Whether it is polled because another program uses the buffer.
  package var isBesideTakenBuffer: Bool { takenBuffer != nil }

  private let scale: ChannelScale
  private var ticker: Ticker
  private var failures = 0

  /// Opens a sensor.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - neighbour: the program that may have left the buffer enabled; with nil, ``next(interruptedBy:)`` never throws
  ///     `bufferIsFree`.
  ///   - mark: the file that records what is set, as long as it is set; nil writes none.
  /// - Throws: ``SourceError``: `vanished`, `missingAttribute`, `malformed`, `permissionDenied`.
  package init(
    _ sensor: AmbientSensor, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    let (device, channel) = try sensor.present()
    let takenBuffer = TakenBuffer(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    if takenBuffer == nil {
      channel.raiseSamplingFrequency(to: sensor.kind.rate, keeping: settings)
      settings.mark()
    }
    let scale = try channel.scale(of: sensor.channel.attribute, measuring: sensor.measure)
    let file = try AttributeFile(path: channel.path(of: sensor.channel.attribute.rawValue))
    // The chip has no new value before its integration time is over.
    let integration = ((try? channel.number("integration_time")) ?? nil) ?? 0
    let period = max(1 / sensor.kind.rate, min(integration, Self.longestPeriod))
    self.file = file
    self.settings = settings
    self.takenBuffer = takenBuffer
    self.scale = scale
    ticker = Ticker(rate: 1 / period, start: .now)
  }

  /// Waits for the next tick and reads, the first time at once; a slow read of a driver cannot be interrupted.
  ///
  /// - Throws: ``SourceError``: `vanished` if the device is gone, `malformed`, `refusedBesideBuffer`, `bufferIsFree`, or
  ///   the error for the driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Double? {
    while wakeUp.wait(until: ticker.nextTick) != .signalled {
      defer { ticker.advance(now: .now) }
      try takenBuffer?.checkWhetherFree(at: .now)
      do throws(SourceError) {
        let value = try file.number()
        failures = 0
        return scale.value(raw: value)
      } catch {
        failures += 1
        guard error.mayPass, failures < Self.patience else {
          throw takenBuffer?.explaining(error) ?? error
        }
      }
    }
    return nil
  }
}

extension SourceError {
  /// Whether the next read may succeed.
  var mayPass: Bool {
    switch self {
    case .system, .busy: true
    default: false
    }
  }
}

extension IIOChannel {
  /// Sets the frequency at which a chip measures, if it is lower than that of the reads.
  ///
  /// Some chips start at zero, and some delay a read until the next measurement. A higher frequency is kept, because
  /// another program, or another channel of the device, may need it.
  func raiseSamplingFrequency(to rate: Double, keeping settings: OwnSettings) {
    guard let present = samplingFrequency, present < rate else { return }
    _ = setSamplingFrequency(availableFrequencies.choices(for: rate), keeping: settings)
  }
}
