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
  private let device: String
  private var ticker: Ticker
  /// Whether it has read anything but zeros.
  private var hasRead = false
  /// Since when it has read nothing but zeros; nil where the last reading was none.
  private var zerosSince: BootTime?

  /// The rate of the reads, in hertz.
  public var sampleRate: Double { ticker.rate }

  /// The reads that were skipped because an earlier one took too long.
  public var missedTicks: Int { ticker.missedTicks }

  /// Opens a sensor of this machine.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it.
  ///   - rate: the rate of the reads, in hertz; the sensor's own frequency is set to the nearest at or above it, unless
  ///     somebody else has its buffer.
  ///   - neighbour: who may have left the buffer on; with nil, ``next(interruptedBy:)`` never throws `bufferIsFree`.
  ///   - mark: the file that says what is set, while it is; nil leaves none.
  /// - Throws: ``SourceError``: `vanished` if the sensor is no longer there, `missingAttribute` without a scale,
  ///   `malformed`, `permissionDenied`.
  public init(
    _ sensor: SensorDescription, rate: Double, beside neighbour: Neighbour? = nil, mark: String? = nil
  ) throws(SourceError) {
    guard let context = try IIOContext.local() else { throw .vanished(device: sensor.displayName) }
    try self.init(sensor, in: context, rate: rate, beside: neighbour, mark: mark)
  }

  /// Opens a sensor of a context on this machine.
  init(
    _ sensor: SensorDescription, in context: borrowing IIOContext, rate: Double,
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
    self.device = sensor.displayName
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and reads the three axes.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the sample, stamped when its last axis was read; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `vanished` with the device gone, `malformed`, `silent` where all that it reads is zeros,
  ///   `refusedBesideBuffer`, `bufferIsFree`, or the driver's own errno.
  public mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    while wakeUp.wait(until: ticker.nextTick) != .signalled {
      let acceleration = try acceleration()
      let now = BootTime.now
      try takenBuffer?.checkWhetherFree(at: now)
      ticker.advance(now: now)
      if try isAlive(with: acceleration, at: now) { return Sample(time: now, acceleration: acceleration) }
    }
    return nil
  }

  /// Reads the three axes.
  private borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    do throws(SourceError) {
      return try axes.acceleration()
    } catch {
      throw takenBuffer?.explaining(error) ?? error
    }
  }

  /// Tells a sensor that lives from one whose silence the kernel makes zeros of (hid-sensor-hub in Linux 6.1).
  ///
  /// No tablet falls freely for as long as the limit, and few sensors read exact zeros even then.
  ///
  /// - Returns: whether the reading is one: zeros are none before the sensor has read anything else.
  private mutating func isAlive(
    with acceleration: Acceleration<SensorFrame>, at now: BootTime
  ) throws(SourceError) -> Bool {
    guard acceleration.x == 0, acceleration.y == 0, acceleration.z == 0 else {
      hasRead = true
      zerosSince = nil
      return true
    }
    let start = zerosSince ?? now
    zerosSince = start
    guard now.seconds(since: start) < BufferedSource.silenceLimit else {
      throw .silent(device: device, seconds: BufferedSource.silenceLimit)
    }
    return hasRead
  }

  /// Looks now and then, at two axes, until the tablet leaves its rest.
  ///
  /// - Parameters:
  ///   - rest: where the tablet lies.
  ///   - wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the first sample off the rest; nil when `wakeUp` was signalled.
  /// - Throws: as ``next(interruptedBy:)``.
  public mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    var looks = 0
    while wakeUp.wait(seconds: ticker.restPeriod) != .signalled {
      looks &+= 1
      try takenBuffer?.checkWhetherFree(at: .now)
      guard let acceleration = try look(whole: looks % Self.wholeLooks == 0, leaving: rest) else { continue }
      let now = BootTime.now
      ticker.start(after: now)
      return Sample(time: now, acceleration: acceleration)
    }
    ticker.start(after: .now)
    return nil
  }

  /// What the sensor reads off the rest; nil at rest.
  private borrowing func look(
    whole isWhole: Bool, leaving rest: Rest
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    guard isWhole else { return try axes.acceleration(leaving: rest) }
    let acceleration = try acceleration()
    return rest.holds(acceleration) ? nil : acceleration
  }
}
