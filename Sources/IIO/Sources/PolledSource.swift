// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// An accelerometer or a gyroscope that is read at a fixed rate: through its sysfs attributes, if its driver has no working buffer, as an
/// input device, or from another machine.
public struct PolledSource: ~Copyable, SampleSource {
  /// At rest, one in this many reads includes all three axes: with two, a tablet that was turned over completely between
  /// two reads would look the same.
  private static let wholeLooks = 8

  private let axes: PolledReader
  /// Those of the gyroscope that is part of an accelerometer's device; nil if that is not wanted, or does not work.
  private let rateAxes: PolledAxes?
  /// Nil for an input device, of which nothing is set, and for another machine's.
  private let settings: OwnSettings?
  /// The buffer, while another program uses it.
  private var takenBuffer: Optional<TakenBuffer>
  private var ticker: Ticker
  private let end: BootTime
  /// The time of the last read.
  private var lastRead = BootTime(nanoseconds: 0)

  /// The rate of the reads, in hertz.
  package var sampleRate: Double { ticker.rate }

  /// Whether the source has delivered until its end.
  package var isTimeUp: Bool { lastRead >= end }

  /// Opens a sensor of this machine.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it.
  ///   - options: how it is sampled; nothing is set while another program uses its buffer. Without a neighbour,
  ///     ``next(interruptedBy:)`` never throws `bufferIsFree`.
  ///   - end: when the source ends; nil means never.
  /// - Throws: ``SourceError``: `vanished` if the sensor is no longer there, `missingAttribute` without a scale,
  ///   `malformed`, `permissionDenied`.
  package init(
    _ sensor: SensorDescription, _ options: SamplingOptions, until end: BootTime? = nil
  ) throws(SourceError) {
    if case .input = sensor.interface {
      self.init(.input(try InputAxes(of: sensor)), rate: options.rate, until: end)
      return
    }
    let (rate, withRates) = (options.rate, options.withRates)
    let device = try sensor.presentDevice()
    let takenBuffer = TakenBuffer(of: device, beside: options.neighbour)
    let settings = OwnSettings(of: device, markPath: options.mark)
    if takenBuffer == nil {
      // A refused frequency is no reason to refuse the sensor: the rate of the reads does not depend on it.
      _ = device.inputChannel(Axis.x.channel(of: sensor.quantity))?.setSamplingFrequency(
        sensor.availableFrequencies.choices(for: rate), keeping: settings)
      if withRates { device.setRateFrequency(rate, keeping: settings) }
      settings.mark()
    }
    let axes = try PolledAxes(of: device, measuring: sensor.quantity)
    let rateAxes = withRates ? try? PolledAxes(of: device, measuring: .angularVelocity) : nil
    self.init(
      .attributes(axes), rateAxes: rateAxes, settings: settings, takenBuffer: takenBuffer, rate: rate,
      until: end)
  }

  /// Connects to iiod, and opens the sensor that discovery described at this address.
  ///
  /// - Throws: ``SourceError``: `unreachable` if there is no iiod, `vanished` if the sensor is no longer there,
  ///   `missingAttribute` without a scale, `malformed`.
  package init(_ sensor: SensorDescription, at address: IIOAddress, rate: Double) throws(SourceError) {
    self.init(.remote(try RemoteAxes(of: sensor, at: address, rate: rate)), rate: rate)
  }

  private init(
    _ axes: consuming PolledReader, rateAxes: consuming PolledAxes? = nil, settings: OwnSettings? = nil,
    takenBuffer: TakenBuffer? = nil, rate: Double, until end: BootTime? = nil
  ) {
    self.axes = axes
    self.rateAxes = rateAxes
    self.settings = settings
    self.takenBuffer = takenBuffer
    self.end = end ?? BootTime(nanoseconds: .max)
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and reads the three axes; a slow read of a driver cannot be interrupted, and one of another machine
  /// ends with its time limit.
  ///
  /// - Throws: ``SourceError``: `vanished` if the device is gone, `malformed`, `refusedBesideBuffer`, `bufferIsFree`,
  ///   `unreachable` if the connection to another machine is lost or a read times out, or the error for the driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    guard lastRead < end, wakeUp.wait(until: ticker.nextTick) != .signalled else { return nil }
    let acceleration = try read()
    lastRead = .now
    try takenBuffer?.checkWhetherFree(at: lastRead)
    ticker.advance(now: lastRead)
    return Sample(time: lastRead, acceleration: acceleration)
  }

  /// Reads the gyroscope's axes.
  package func rates() -> AngularVelocity<SensorFrame>? {
    switch rateAxes {
    case .none: return nil
    case .some(let axes):
      guard let reading = try? axes.acceleration() else { return nil }
      return AngularVelocity(axesOf: reading)
    }
  }

  /// Reads two axes from time to time, until the tablet leaves its rest; a slow read of a driver cannot be interrupted.
  package mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    var looks = 0
    var course = RestLooks(at: rest, since: .now)
    while lastRead < end, wakeUp.wait(seconds: max(course.pause(at: .now), ticker.seconds)) != .signalled {
      looks &+= 1
      try takenBuffer?.checkWhetherFree(at: .now)
      let acceleration = try read(leaving: looks % Self.wholeLooks == 0 ? nil : rest)
      lastRead = .now
      guard !rest.holds(acceleration) else {
        course.found(acceleration)
        continue
      }
      ticker.start(after: lastRead)
      return Sample(time: lastRead, acceleration: acceleration)
    }
    ticker.start(after: .now)
    return nil
  }

  /// Reads the three axes, or as few as show whether the sensor has left a rest.
  private borrowing func read(leaving rest: Rest? = nil) throws(SourceError) -> Acceleration<SensorFrame> {
    do throws(SourceError) {
      guard let rest else { return try axes.acceleration() }
      return try axes.acceleration(leaving: rest)
    } catch {
      throw takenBuffer?.explaining(error) ?? error
    }
  }
}
