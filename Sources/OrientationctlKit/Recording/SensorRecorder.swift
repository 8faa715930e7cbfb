// SPDX-License-Identifier: Apache-2.0

// Samples by the daemon's own sources, with the same ways out: a buffer that is taken, forbidden, missing or silent gives
// way to polling. Remarks tell in the file where that happened.

import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// Writes the samples of a sensor into a file.
final class SensorRecorder {
  private let file: RecordingFile
  private let sensor: RecordedSensor
  private let rate: Double
  private let seconds: Double?
  private var start: BootTime?
  private var last: BootTime?
  private var count = 0

  /// Prepares recording; no sensor is powered.
  ///
  /// - Parameters:
  ///   - file: gets the samples.
  ///   - sensor: delivers them.
  ///   - rate: the wanted rate in hertz.
  ///   - seconds: how long to record; nil is until a signal.
  init(file: RecordingFile, sensor: RecordedSensor, rate: Double, seconds: Double?) {
    self.file = file
    self.sensor = sensor
    self.rate = rate
    self.seconds = seconds
  }

  /// Records until the time is up or a signal ends it.
  ///
  /// - Throws: ``CommandError`` where the sensor fails or the file cannot be written.
  func run() throws {
    let wakeUp = try WakeUpEvent()
    endOnSignals(through: wakeUp)
    do {
      try writeHeader()
      do {
        try sample(until: wakeUp)
      } catch let error as SourceError {
        try file.write(remark: "ended", "\(error)")
        throw CommandError(Self.explanation(of: error))
      }
    } catch OutputError.closed {
      return
    } catch let error as OutputError {
      throw CommandError("\(file.name) cannot be written: \(error)")
    }
    let duration = start.flatMap { start in last.map { $0.seconds(since: start) } } ?? 0
    StandardError.tell("\(count) samples in \(decimal(duration, places: 1)) s written to \(file.name)")
  }

  private func writeHeader() throws(OutputError) {
    try file.write(line: "# recorded by orientationctl record; see orientationctl(1)")
    let facts: [(name: String, value: String?)] = [
      ("orientationd", orientationdVersion), ("kernel", Machine.kernel), ("machine", Machine.model),
    ]
    for (name, value) in facts + sensor.facts { try file.write(remark: name, value) }
    try file.write(line: "t_s,ax,ay,az" + (sensor.scales == nil ? "" : ",raw_x,raw_y,raw_z"))
  }

  private static func explanation(of error: SourceError) -> String {
    guard case .busy = error else { return error.printable }
    return
      "\(error.printable); if that is orientationd, it lets go when no program asks for orientations, or with: "
      + "systemctl stop orientationd"
  }

  private func sample(until wakeUp: borrowing WakeUpEvent) throws {
    switch sensor.origin {
    case .device(let description):
      if try sampleBuffered(description, until: wakeUp) { return }
      var source = try PolledSource(description, rate: rate)
      try sample(&source, "polled", until: wakeUp)
    case .network(let description, let host):
      var source = try NetworkSource(description, host: host, rate: rate)
      try sample(&source, "polled through iiod", until: wakeUp)
    case .simulation:
      var source = SimulatedSource(rate: rate)
      try sample(&source, "simulated", until: wakeUp)
    }
  }

  /// Samples through the device's buffer; false where polling must do instead.
  private func sampleBuffered(
    _ description: SensorDescription, until wakeUp: borrowing WakeUpEvent
  ) throws -> Bool {
    guard case .scanElements = description.buffering else { return false }
    do {
      var source = try BufferedSource(description, rate: rate)
      try sample(&source, "buffered", until: wakeUp)
      return true
    } catch let error as SourceError {
      switch error {
      case .silent, .noBuffer, .busy, .permissionDenied: break
      default: throw error
      }
      StandardError.tell("\(error); polling it instead")
      try file.write(remark: "no buffer", "\(error)")
      return false
    }
  }

  private func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: String, until wakeUp: borrowing WakeUpEvent
  ) throws {
    try file.write(remark: "sampling", "\(way) at \(shortDecimal(source.sampleRate)) Hz")
    while let sample = try source.next(interruptedBy: wakeUp) {
      if start == nil { try file.write(remark: "started", WallTime(sample.time).rfc3339) }
      let start = start ?? sample.time
      let time = sample.time.seconds(since: start)
      if let seconds, time > seconds { return }
      self.start = start
      try file.write(line: line(sample, seconds: time))
      last = sample.time
      count += 1
    }
  }

  private func line(_ sample: Sample<SensorFrame>, seconds: Double) -> String {
    let screen = sensor.transform(sample.acceleration)
    var fields = [seconds, screen.x, screen.y, screen.z].map { decimal($0, places: 6) }
    if let scales = sensor.scales {
      fields += [
        Self.text(ofRaw: scales.x.raw(acceleration: sample.acceleration.x)),
        Self.text(ofRaw: scales.y.raw(acceleration: sample.acceleration.y)),
        Self.text(ofRaw: scales.z.raw(acceleration: sample.acceleration.z)),
      ]
    }
    return fields.joined(separator: ",")
  }

  /// A count, or what stands in its place where the driver itself makes m/s^2.
  private static func text(ofRaw raw: Double) -> String {
    decimal(raw, places: abs(raw - raw.rounded()) < 1e-3 ? 0 : 6)
  }
}

/// Has Ctrl-C, SIGTERM and the end of the terminal signal an event.
private func endOnSignals(through event: borrowing WakeUpEvent) {
  endDescriptor = event.fileDescriptor
  // A write says EPIPE then.
  signal(SIGPIPE, SIG_IGN)
  var numbers = sigset_t()
  sigemptyset(&numbers)
  for number in [SIGINT, SIGTERM, SIGHUP] {
    sigaddset(&numbers, number)
    signal(number) { _ in
      let before = errno
      var one: UInt64 = 1
      _ = write(endDescriptor, &one, 8)
      errno = before
    }
  }
  // Who started this may have had them blocked.
  pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
}

/// The descriptor of the event that signals are to signal: a handler can capture nothing.
nonisolated(unsafe) private var endDescriptor: CInt = -1
