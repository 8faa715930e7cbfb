// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// An accelerometer read at a fixed rate through its sysfs attributes: the way for drivers without a working buffer.
public struct PolledSource: ~Copyable, SampleSource {
  /// At rest, one look in so many is at all three axes: two of them would not tell a tablet that was turned over wholly
  /// from one look to the next.
  private static let wholeLooks = 8

  private let axes: PolledAxes
  private let settings: OwnSettings
  /// The buffer, while somebody else has it.
  private var takenBuffer: TakenBuffer?
  private var ticker: Ticker
  private let end: BootTime
  /// When it was read last.
  private var lastRead = BootTime(nanoseconds: 0)

  /// The rate of the reads, in hertz.
  public var sampleRate: Double { ticker.rate }

  /// The reads that were skipped because an earlier one took too long.
  public var missedTicks: Int { ticker.missedTicks }

  /// Whether no more samples are wanted.
  public var isTimeUp: Bool { lastRead >= end }

  /// Opens a sensor of this machine.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it.
  ///   - rate: the rate of the reads, in hertz; the sensor's own frequency is set to the nearest at or above it, unless
  ///     somebody else has its buffer.
  ///   - end: when no more samples are wanted; nil never.
  ///   - neighbour: who may have left the buffer on; with nil, ``next(interruptedBy:)`` never throws `bufferIsFree`.
  ///   - mark: the file that says what is set, while it is; nil leaves none.
  /// - Throws: ``SourceError``: `vanished` if the sensor is no longer there, `missingAttribute` without a scale,
  ///   `malformed`, `permissionDenied`.
  public init(
    _ sensor: SensorDescription, rate: Double, until end: BootTime? = nil, beside neighbour: Neighbour? = nil,
    mark: String? = nil
  ) throws(SourceError) {
    guard let context = try IIOContext.local() else { throw .vanished(device: sensor.displayName) }
    try self.init(sensor, in: context, rate: rate, until: end, beside: neighbour, mark: mark)
  }

  /// Opens a sensor of a context on this machine.
  init(
    _ sensor: SensorDescription, in context: borrowing IIOContext, rate: Double, until end: BootTime? = nil,
    beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    guard let device = context.device(of: sensor) else { throw .vanished(device: sensor.displayName) }
    let takenBuffer = TakenBuffer(of: device, beside: neighbour)
    let settings = OwnSettings(of: device, markPath: mark)
    if takenBuffer == nil {
      // A refused frequency is no reason to refuse the sensor: the reads keep their own time.
      _ = device.setSamplingFrequency(sensor.availableFrequencies.choices(for: rate), keeping: settings)
      settings.mark()
    }
    let axes = try PolledAxes(of: device)
    self.axes = axes
    self.settings = settings
    self.takenBuffer = takenBuffer
    self.end = end ?? BootTime(nanoseconds: .max)
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and reads the three axes.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the sample, stamped when its last axis was read; nil when `wakeUp` was signalled, or no more are wanted.
  /// - Throws: ``SourceError``: `vanished` with the device gone, `malformed`, `refusedBesideBuffer`, `bufferIsFree`, or the
  ///   driver's own errno.
  public mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    guard lastRead < end, wakeUp.wait(until: ticker.nextTick) != .signalled else { return nil }
    let acceleration = try acceleration()
    lastRead = .now
    try takenBuffer?.checkWhetherFree(at: lastRead)
    ticker.advance(now: lastRead)
    return Sample(time: lastRead, acceleration: acceleration)
  }

  /// Reads the three axes.
  private borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    do throws(SourceError) {
      return try axes.acceleration()
    } catch {
      throw explaining(error)
    }
  }

  /// Looks now and then, at two axes, until the tablet leaves its rest.
  ///
  /// - Parameters:
  ///   - rest: where the tablet lies.
  ///   - wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the first sample off the rest; nil when `wakeUp` was signalled, or no more are wanted.
  /// - Throws: as ``next(interruptedBy:)``.
  public mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    var looks = 0
    while lastRead < end, wakeUp.wait(seconds: ticker.restPeriod) != .signalled {
      looks &+= 1
      try takenBuffer?.checkWhetherFree(at: .now)
      let acceleration = try look(whole: looks % Self.wholeLooks == 0, leaving: rest)
      lastRead = .now
      guard let acceleration else { continue }
      ticker.start(after: lastRead)
      return Sample(time: lastRead, acceleration: acceleration)
    }
    ticker.start(after: .now)
    return nil
  }

  /// What the sensor reads off the rest; nil at rest.
  private borrowing func look(
    whole isWhole: Bool, leaving rest: Rest
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    do throws(SourceError) {
      guard isWhole else { return try axes.acceleration(leaving: rest) }
      let acceleration = try axes.acceleration()
      return rest.holds(acceleration) ? nil : acceleration
    } catch {
      throw explaining(error)
    }
  }

  private borrowing func explaining(_ error: SourceError) -> SourceError {
    takenBuffer?.explaining(error) ?? error
  }
}
