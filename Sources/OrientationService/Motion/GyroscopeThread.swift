// SPDX-License-Identifier: Apache-2.0

// The thread of a gyroscope that has a device of its own. It exists while a stream wants the gyroscope, and reads it by the same ways as
// the sampler thread reads the accelerometer: through its buffer, or by polling until the buffer is tried again. A gyroscope that is part
// of the accelerometer's device has no thread: the sampler thread reads both.

import CLinux
import IIO
import Orientation
import SensorSetup

/// What the thread is to do.
struct GyroscopeJob: Sendable {
  /// The gyroscope.
  let gyroscope: MountedGyroscope
  /// How fast it is read.
  let pace: SensorPace
  /// Where its samples go.
  let outlet: RateOutlet
  /// Knows the program that may have left a buffer enabled.
  let display: SamplerLink

  /// Whether two jobs are the same.
  func isSame(as other: GyroscopeJob) -> Bool {
    gyroscope == other.gyroscope && pace == other.pace && outlet.isSame(as: other.outlet)
  }
}

/// What the thread does.
struct GyroscopeThread: ~Copyable {
  /// What is kept from one source to the next: nothing.
  struct Course {}

  private let link: AmbientLink
  private let job: GyroscopeJob
  private var pause = RetryBackoff()
  var bufferTrials = BufferTrials()
  /// A gyroscope has no motion events.
  var eventTrust = EventTrust()

  private init(link: AmbientLink, job: GyroscopeJob) {
    self.link = link
    self.job = job
  }

  /// Reads the gyroscope until the link requests the end, and reports that.
  static func run(_ job: GyroscopeJob, for link: AmbientLink) {
    nameThread("gyroscope")
    var thread = GyroscopeThread(link: link, job: job)
    thread.run()
    releaseOpeningMemory()
    link.post(.ended)
  }

  private mutating func run() {
    // From this wait on, a driver that hangs is noticed; opening can hang too. The request to end is not drained: it holds for all that
    // follows.
    _ = link.wakeUp.wait(until: .now)
    while !link.isStopRequested {
      var course = Course()
      do throws(SourceError) {
        try sample(job.gyroscope.origin, in: &course)
      } catch {
        releaseOpeningMemory()
        link.post(.failed(error))
        // The device may be gone: the next scan of the devices ends this thread then.
        _ = link.wakeUp.wait(until: .now.advanced(bySeconds: pause.next(at: .now)))
      }
    }
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
    try source.proveReports(interruptedBy: link.wakeUp)
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    var isDelivering = false
    while let sample = try source.next(interruptedBy: link.wakeUp) {
      if !isDelivering {
        isDelivering = true
        releaseOpeningMemory()
        pause.succeeded(at: .now)
        link.post(.delivering)
      }
      job.outlet.push(AngularVelocity(axesOf: sample.acceleration), at: sample.time)
    }
    return link.isStopRequested ? .notWanted : .timeIsUp
  }
}
