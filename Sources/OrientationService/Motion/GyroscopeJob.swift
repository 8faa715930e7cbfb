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

  var bufferTrials = BufferTrials()

  var sensorName: String { gyroscope.name }

  func isSame(as other: GyroscopeJob) -> Bool {
    gyroscope == other.gyroscope && pace == other.pace && outlet == other.outlet
  }

  func begin() { nameThread("gyroscope") }

  mutating func read(on thread: inout SensorThread) throws(SourceError) {
    bufferTrials.beginWithBuffer()
    try sample(gyroscope.origin, in: &thread)
  }
}

extension GyroscopeJob: SensorSampling {
  var options: SamplingOptions {
    SamplingOptions(
      rate: pace.rate, beside: display.neighbour, mark: SensorMarks.gyroscope,
      blockDuration: pace.blockDuration)
  }

  mutating func givesWayToPolling(because failure: SourceError, in thread: inout SensorThread) -> Bool {
    thread.link.post(.buffered(givesWayToPollingBecause: failure))
    return true
  }

  mutating func isProven(
    _ source: inout BufferedSource, in thread: inout SensorThread
  ) throws(SourceError) -> Bool {
    try source.proveReports(interruptedBy: thread.link.wakeUp.event)
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in thread: inout SensorThread
  ) throws(SourceError) -> SamplingEnd {
    var isDelivering = false
    while let sample = try source.next(interruptedBy: thread.link.wakeUp.event) {
      if !isDelivering {
        isDelivering = true
        thread.begins()
        thread.link.post(.delivering)
      }
      outlet.push(AngularVelocity(axesOf: sample.acceleration), at: sample.time)
    }
    return thread.link.isStopRequested ? .notWanted : .timeIsUp
  }
}
