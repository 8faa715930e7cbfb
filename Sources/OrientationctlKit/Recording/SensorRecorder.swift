// SPDX-License-Identifier: Apache-2.0

// This folder: `record` records the readings of a sensor (SensorRecorder), and `classify` shows how the daemon would have
// classified a recording (ClassifyCommand, RestSimulation).

// The recorder uses the daemon's own sources, and chooses between them as the daemon does (`SensorSampling`). Comment lines in
// the file name the source.

import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// Writes the samples of a sensor to a file.
struct SensorRecorder: ~Copyable {
  private let file: RecordingFile
  private let subject: RecordedSensor
  private let seconds: Double?
  private let wakeUp: WakeUpEvent
  let options: SamplingOptions
  var bufferTrials = BufferTrials()

  /// Prepares a recording; no sensor is powered.
  ///
  /// - Parameters:
  ///   - file: the file for the samples.
  ///   - subject: the sensor.
  ///   - rate: the wanted rate in hertz.
  ///   - seconds: how long to record; nil is until a signal.
  /// - Throws: ``SourceError/system(operation:code:)`` if the process is out of descriptors.
  init(file: RecordingFile, subject: RecordedSensor, rate: Double, seconds: Double?) throws(SourceError) {
    // Before what it would have to release if it throws: Swift 6.2 does not compile it otherwise.
    wakeUp = try WakeUpEvent()
    self.file = file
    self.subject = subject
    self.seconds = seconds
    options = SamplingOptions(rate: rate)
  }

  /// Records until the time is up or a signal ends it.
  ///
  /// - Throws: ``CommandError`` if the sensor fails or the file cannot be written.
  mutating func run() throws {
    endOnSignals(through: wakeUp)
    var course = Course()
    do {
      try writeHeader()
      do throws(SourceError) {
        try sample(subject.sensor.origin, in: &course)
      } catch {
        try file.write(remark: "ended", "\(error)")
        throw CommandError(Self.explanation(of: error))
      }
      if let failure = course.failure { throw failure }
    } catch OutputError.closed {
      return
    } catch let error as OutputError {
      throw CommandError("\(file.name) cannot be written: \(error)")
    }
    let summary = course.summary
    Report.note(
      "\(summary.count) samples in \(decimal(summary.duration, places: 1)) s written to \(file.name)"
        + (summary.count > 1 ? "; \(summary.text)" : ""))
  }

  private func writeHeader() throws(OutputError) {
    try file.write(line: "# recorded by orientationctl record; see orientationctl(1)")
    let facts: [(name: String, value: String?)] = [
      ("orientationd", orientationdVersion), ("kernel", Machine.kernel), ("machine", Machine.model),
    ]
    for (name, value) in facts + subject.facts { try file.write(remark: name, value) }
    try file.write(line: "t_s,ax,ay,az" + (subject.scales == nil ? "" : ",raw_x,raw_y,raw_z"))
  }

  private static func explanation(of error: SourceError) -> String {
    guard case .busy = error else { return error.printable }
    return
      "\(error.printable); if this is orientationd, it releases the sensor when there are no subscribers, or after: "
      + "systemctl stop orientationd"
  }

  private func line(_ sample: Sample<SensorFrame>, seconds: Double) -> String {
    let screen = subject.sensor.transform(sample.acceleration)
    var fields = [seconds, screen.x, screen.y, screen.z].map { decimal($0, places: 6) }
    if let scales = subject.scales {
      fields += [
        Self.text(ofRaw: scales.x.raw(acceleration: sample.acceleration.x)),
        Self.text(ofRaw: scales.y.raw(acceleration: sample.acceleration.y)),
        Self.text(ofRaw: scales.z.raw(acceleration: sample.acceleration.z)),
      ]
    }
    return fields.joined(separator: ",")
  }

  /// A raw value: an integer, or a fraction if the driver itself delivers m/s^2.
  private static func text(ofRaw raw: Double) -> String {
    decimal(raw, places: abs(raw - raw.rounded()) < 1e-3 ? 0 : 6)
  }
}

extension SensorRecorder: SensorSampling {
  /// The state of the recording, which continues from one source to the next.
  struct Course {
    fileprivate var start: BootTime?
    fileprivate var summary = RecordingSummary()
    /// The last comment line on how the sensor is sampled.
    fileprivate var way: String?
    /// Whether the buffer failed, and has delivered no sample since.
    fileprivate var isBufferGivenUp = false
    /// Why the file can no longer be written.
    fileprivate var failure: OutputError?
  }

  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool {
    guard !course.isBufferGivenUp else { return true }
    course.isBufferGivenUp = true
    Report.note("\(failure); polling it instead")
    do throws(OutputError) {
      try file.write(remark: "no buffer", "\(failure)")
      return true
    } catch {
      course.failure = error
      return false
    }
  }

  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool {
    try source.proveReports(interruptedBy: wakeUp)
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    let wayText = "\(way.text) at \(shortDecimal(source.sampleRate)) Hz"
    while let sample = try source.next(interruptedBy: wakeUp) {
      if way == .buffered { course.isBufferGivenUp = false }
      do throws(OutputError) {
        guard try write(sample, wayText, in: &course) else { return .notWanted }
        course.summary.add(sample, rate: source.sampleRate)
      } catch {
        course.failure = error
        return .notWanted
      }
    }
    return source.isTimeUp ? .timeIsUp : .notWanted
  }

  /// Writes a sample; returns false if the recording ended before it.
  private func write(
    _ sample: Sample<SensorFrame>, _ way: String, in course: inout Course
  ) throws(OutputError) -> Bool {
    if way != course.way { try file.write(remark: "sampling", way) }
    course.way = way
    if course.start == nil { try file.write(remark: "started", WallTime(sample.time).rfc3339) }
    let start = course.start ?? sample.time
    let time = sample.time.seconds(since: start)
    if let seconds, time > seconds { return false }
    course.start = start
    try file.write(line: line(sample, seconds: time))
    return true
  }
}

extension SamplingWay {
  /// The name in a recording.
  fileprivate var text: String {
    switch self {
    case .buffered: "buffered"
    case .polled: "polled"
    case .remote: "polled through iiod"
    case .replayed: "replayed"
    case .simulated: "simulated"
    }
  }
}

/// Makes Ctrl-C, SIGTERM and the end of the terminal signal an event.
private func endOnSignals(through event: borrowing WakeUpEvent) {
  endDescriptor = event.fileDescriptor
  // A write to a closed pipe then fails with EPIPE.
  signal(SIGPIPE, SIG_IGN)
  var numbers = sigset_t()
  sigemptyset(&numbers)
  for number in HandledSignals.ends {
    sigaddset(&numbers, number)
    signal(number) { _ in
      let before = errno
      var one: UInt64 = 1
      _ = write(endDescriptor, &one, 8)
      errno = before
    }
  }
  // The parent process may have blocked them.
  pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
}

/// The descriptor of the event; a global variable, because a signal handler cannot capture anything.
nonisolated(unsafe) private var endDescriptor: CInt = -1
