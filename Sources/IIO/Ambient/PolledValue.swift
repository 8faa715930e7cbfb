// SPDX-License-Identifier: Apache-2.0

/// An ``AmbientSensor`` that is asked again and again.
package struct PolledValue: ~Copyable, ValueSource {
  /// So many reads in a row may fail: chips refuse one that comes in the middle of a measurement, or when the light is too
  /// bright for the present gain, and answer the next one.
  private static let patience = 3
  /// The longest time between two reads that a driver's integration time is allowed to make, in seconds.
  private static let longestPeriod = 2.0

  private let file: AttributeFile
  private let settings: OwnSettings
  /// The buffer, while somebody else has it.
  private var takenBuffer: TakenBuffer?
  /// Whether it is polled because somebody else has the buffer.
  package var isBesideTakenBuffer: Bool { takenBuffer != nil }

  private let scale: ChannelScale
  private var ticker: Ticker
  private var failures = 0

  /// Opens a sensor.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - neighbour: who may have left the buffer on; with nil, ``next(interruptedBy:)`` never throws `bufferIsFree`.
  ///   - mark: the file that says what is set, while it is; nil leaves none.
  /// - Throws: ``SourceError``: `vanished`, `missingAttribute`, `malformed`, `permissionDenied`.
  package init(
    _ sensor: AmbientSensor, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    guard let context = try IIOContext.local() else { throw .vanished(device: sensor.name) }
    try self.init(sensor, in: context, beside: neighbour, mark: mark)
  }

  /// Opens a sensor of a context on this machine.
  init(
    _ sensor: AmbientSensor, in context: borrowing IIOContext, beside neighbour: Neighbour? = nil,
    mark: String? = nil
  ) throws(SourceError) {
    let (device, channel) = try context.find(sensor)
    let takenBuffer = TakenBuffer(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    if takenBuffer == nil {
      device.raiseSamplingFrequency(to: sensor.kind.rate, of: channel, keeping: settings)
      settings.mark()
    }
    let scale = try channel.scale(of: sensor.channel.attribute, measuring: sensor.measure)
    let file = try AttributeFile(path: channel.path(of: sensor.channel.attribute.rawValue))
    // More often than the chip integrates, it has nothing new.
    let integration = ((try? channel.number("integration_time")) ?? nil) ?? 0
    let period = max(1 / sensor.kind.rate, min(integration, Self.longestPeriod))
    self.file = file
    self.settings = settings
    self.takenBuffer = takenBuffer
    self.scale = scale
    ticker = Ticker(rate: 1 / period, start: .now)
  }

  /// Waits for the next tick and reads; the first one is at once.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the value; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `vanished` with the device gone, `malformed`, `refusedBesideBuffer`, `bufferIsFree`, or the
  ///   driver's own errno.
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
  /// Whether the same read may go well the next time.
  fileprivate var mayPass: Bool {
    switch self {
    case .system, .busy: true
    default: false
    }
  }
}

extension IIODevice {
  /// Sets the frequency at which a chip measures, where it would measure less often than it is read.
  ///
  /// Some start with none, and some make who reads wait for the next measurement. A higher one is left alone: another
  /// program, or another channel of the device, may need it.
  fileprivate func raiseSamplingFrequency(
    to rate: Double, of channel: IIOChannel, keeping settings: OwnSettings
  ) {
    guard let present = samplingFrequency(of: channel), present < rate else { return }
    _ = setSamplingFrequency(
      availableFrequencies(of: channel).choices(for: rate), of: channel, keeping: settings)
  }
}
