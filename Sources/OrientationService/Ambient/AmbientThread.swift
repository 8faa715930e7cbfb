// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Orientation
import SensorSetup

/// To sample a light sensor, a proximity sensor, a compass or a hinge.
struct AmbientJob: SensorJob {
  /// The sensor.
  let sensor: AmbientSensor
  /// The display's accelerometer.
  let display: SamplerLink
  /// The last reading of an earlier session, with which the hysteresis goes on.
  let earlier: AmbientReading?

  var sensorName: String { sensor.name }

  func isSame(as other: AmbientJob) -> Bool { sensor == other.sensor }

  func run(for link: SensorLink) {
    nameThread("sensor-\(sensor.kind.rawValue)")
    setTimerSlack(nanoseconds: AmbientThread.timerSlack)
    var thread = AmbientThread(link: link, job: self)
    thread.run()
  }
}

/// What the thread does.
private struct AmbientThread: SensorThread, ~Copyable {
  /// How much later than asked for a sensor may be read, in nanoseconds: 50 ms are not seen on values that come at 4 Hz, and
  /// the kernel can wake up once for several threads.
  static let timerSlack: UInt = 50_000_000

  let link: SensorLink
  var pause = RetryBackoff()
  private let sensor: AmbientSensor
  private let display: SamplerLink
  private var last: AmbientReading?

  init(link: SensorLink, job: AmbientJob) {
    self.link = link
    (sensor, display, last) = (job.sensor, job.display, job.earlier)
  }

  mutating func read() throws(SourceError) {
    let mark = SensorMarks.mark(of: sensor.kind)
    if let base = sensor.base {
      var source = try BaseAngle(sensor, mounted: base, beside: display.neighbour, mark: mark) { [display] in
        display.gravity.value
      }
      return try sample(&source)
    }
    var wasBufferTaken = false
    if sensor.isBuffered {
      do throws(SourceError) {
        var source = try BufferedValue(sensor, beside: display.neighbour, mark: mark)
        return try sample(&source)
      } catch {
        // Whatever is wrong with the buffer, the sensor may answer when it is asked; one that is gone does not.
        if case .vanished = error { throw error }
        if case .busy = error { wasBufferTaken = true }
        link.post(.buffered(givesWayToPollingBecause: error))
      }
    }
    var source = try PolledValue(sensor, beside: display.neighbour, mark: mark)
    // The buffer became free between the two checks; nothing checks later.
    if wasBufferTaken, !source.isBesideTakenBuffer { throw .bufferIsFree(device: sensor.name) }
    try sample(&source)
  }

  private mutating func sample<Source: ValueSource & ~Copyable>(_ source: inout Source) throws(SourceError) {
    var changes = AmbientChanges(of: sensor.measure, after: last)
    var isDelivering = false
    while let value = try source.next(interruptedBy: link.wakeUp.event) {
      if !isDelivering {
        isDelivering = true
        begins()
      }
      if let reading = changes.take(value) {
        last = reading
        link.post(.reading(reading))
      }
    }
  }
}
