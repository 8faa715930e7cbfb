// SPDX-License-Identifier: Apache-2.0

// The thread of a gyroscope that has a device of its own. It exists while a stream wants the gyroscope, and reads it by the same ways as
// the sampler thread reads the accelerometer: through its buffer, or by polling until the buffer is tried again. A gyroscope that is part
// of the accelerometer's device has no thread: the sampler thread reads both.

import CLinux
import IIO
import Orientation
import SensorSetup

/// To read a gyroscope that has a device of its own.
struct GyroscopeJob: SensorJob {
  /// The gyroscope.
  let gyroscope: MountedGyroscope
  /// How fast it is read.
  let pace: SensorPace
  /// Where its samples go.
  let outlet: RateOutlet
  /// Knows the program that may have left a buffer enabled.
  let display: SamplerLink

  var sensorName: String { gyroscope.name }

  func isSame(as other: GyroscopeJob) -> Bool {
    gyroscope == other.gyroscope && pace == other.pace && outlet == other.outlet
  }

  func run(for link: SensorLink) {
    nameThread("gyroscope")
    var thread = GyroscopeThread(link: link, job: self)
    thread.run()
  }
}

/// What the thread does.
private struct GyroscopeThread: SensorThread, ~Copyable {
  /// What is kept from one source to the next: nothing.
  struct Course {}

  let link: SensorLink
  let job: GyroscopeJob
  var pause = RetryBackoff()
  var bufferTrials = BufferTrials()
  /// A gyroscope has no motion events.
  var eventTrust = EventTrust()

  init(link: SensorLink, job: GyroscopeJob) {
    self.link = link
    self.job = job
  }

  mutating func read() throws(SourceError) {
    var course = Course()
    try sample(job.gyroscope.origin, in: &course)
  }
}

extension GyroscopeThread: SensorSampling {
  var options: SamplingOptions {
    SamplingOptions(
      rate: job.pace.rate, beside: job.display.neighbour, mark: SensorMarks.gyroscope,
      blockDuration: job.pace.blockDuration)
  }

  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool {
    link.post(.buffered(givesWayToPollingBecause: failure))
    return true
  }

  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool {
    try source.proveReports(interruptedBy: link.wakeUp.event)
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    var isDelivering = false
    while let sample = try source.next(interruptedBy: link.wakeUp.event) {
      if !isDelivering {
        isDelivering = true
        begins()
        link.post(.delivering)
      }
      job.outlet.push(AngularVelocity(axesOf: sample.acceleration), at: sample.time)
    }
    return link.isStopRequested ? .notWanted : .timeIsUp
  }
}
