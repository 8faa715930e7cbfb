// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// An accelerometer read at a fixed rate through its sysfs attributes: the way for drivers without a working buffer.
public struct PolledSource: ~Copyable, SampleSource {
  private let x: PolledAxis
  private let y: PolledAxis
  private let z: PolledAxis
  private var ticker: Ticker

  /// The rate of the reads, in hertz.
  public var sampleRate: Double { ticker.rate }

  /// The reads that were skipped because an earlier one took too long.
  public var missedTicks: Int { ticker.missedTicks }

  /// Opens a sensor of this machine.
  ///
  /// - Parameters:
  ///   - sensor: the sensor, as discovery described it.
  ///   - rate: the rate of the reads, in hertz; the sensor's own frequency is set to the nearest at or above it.
  /// - Throws: ``SourceError``: `vanished` if the sensor is no longer there, `missingAttribute` without a scale,
  ///   `malformed`, `permissionDenied`.
  public init(_ sensor: SensorDescription, rate: Double) throws(SourceError) {
    guard let context = try IIOContext.local(), let device = context.device(of: sensor) else {
      throw .vanished(device: sensor.displayName)
    }
    // A refused frequency is no reason to refuse the sensor: the reads keep their own time.
    _ = device.setSamplingFrequency(sensor.availableFrequencies.choice(for: rate))
    let x = try PolledAxis(.x, of: device)
    let y = try PolledAxis(.y, of: device)
    let z = try PolledAxis(.z, of: device)
    self.x = x
    self.y = y
    self.z = z
    ticker = Ticker(rate: rate, start: .now)
  }

  /// Waits for the next tick and reads the three axes.
  ///
  /// - Parameter wakeUp: ends the wait when signalled. A driver's slow read cannot be interrupted.
  /// - Returns: the sample, stamped when its last axis was read; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``: `vanished` with the device gone, `malformed`, or the driver's own errno.
  public mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    guard wakeUp.wait(until: ticker.nextTick) != .signalled else { return nil }
    let acceleration = Acceleration<SensorFrame>(
      x: try x.acceleration(), y: try y.acceleration(), z: try z.acceleration())
    let now = BootTime.now
    ticker.advance(now: now)
    return Sample(time: now, acceleration: acceleration)
  }
}

/// One axis: its attribute, and how to make m/s^2 of what that holds.
private struct PolledAxis: ~Copyable {
  private let file: AttributeFile
  private let scale: ChannelScale

  init(_ axis: Axis, of device: IIODevice) throws(SourceError) {
    guard let channel = device.inputChannel(axis.channel) else {
      throw .missingAttribute(path: "\(device.directory)/in_\(axis.channel)_raw")
    }
    let isProcessed = !channel.has("raw") && channel.has("input")
    let scale = isProcessed ? ChannelScale.processed : try channel.scale()
    let file = try AttributeFile(path: channel.path(of: isProcessed ? "input" : "raw"))
    self.scale = scale
    self.file = file
  }

  borrowing func acceleration() throws(SourceError) -> Double {
    scale.acceleration(raw: try file.number())
  }
}

extension IIODevice {
  /// Sets the sampling frequency, in hertz, where the driver has the attribute; returns what it is afterwards.
  func setSamplingFrequency(_ frequency: Double) -> Double? {
    let attribute = "sampling_frequency"
    if let x = inputChannel(Axis.x.channel), x.has(attribute) {
      _ = x.write("\(frequency)", to: attribute)
      return (try? x.number(attribute)) ?? nil
    }
    guard let text = try? self.attribute(attribute) else { return nil }
    _ = write("\(frequency)", to: attribute)
    return finiteNumber(((try? self.attribute(attribute)) ?? text)[...])
  }
}
