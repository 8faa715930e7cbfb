// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Orientation
import SensorSetup

/// To sample a light sensor, a proximity sensor, a compass or a hinge.
struct AmbientJob: SensorJob {
  /// How much later than asked for a sensor may be read, in nanoseconds: 50 ms are not seen on values that come at 4 Hz, and
  /// the kernel can wake up once for several threads.
  private static let timerSlack: UInt = 50_000_000

  /// The sensor.
  let sensor: AmbientSensor
  /// The display's accelerometer.
  let display: SamplerLink
  /// The last reading, at first of an earlier session, with which the hysteresis goes on.
  var last: AmbientReading?

  var sensorName: String { sensor.name }

  func isSame(as other: AmbientJob) -> Bool { sensor == other.sensor }

  func begin() {
    nameThread("sensor-\(sensor.kind.rawValue)")
    setTimerSlack(nanoseconds: Self.timerSlack)
  }

  mutating func read(on thread: inout SensorThread) throws(SourceError) {
    let mark = SensorMarks.mark(of: sensor.kind)
    if let base = sensor.base {
      var source = try BaseAngle(sensor, mounted: base, beside: display.neighbour, mark: mark) { [display] in
        display.gravity.value
      }
      return try sample(&source, on: &thread)
    }
    var wasBufferTaken = false
    if sensor.isBuffered {
      do throws(SourceError) {
        var source = try BufferedValue(sensor, beside: display.neighbour, mark: mark)
        return try sample(&source, on: &thread)
      } catch {
        // Whatever is wrong with the buffer, the sensor may answer when it is asked; one that is gone does not.
        if case .vanished = error { throw error }
        if case .busy = error { wasBufferTaken = true }
        thread.link.post(.buffered(givesWayToPollingBecause: error))
      }
    }
    var source = try PolledValue(sensor, beside: display.neighbour, mark: mark)
    // The buffer became free between the two checks; nothing checks later.
    if wasBufferTaken, !source.isBesideTakenBuffer { throw .bufferIsFree(device: sensor.name) }
    try sample(&source, on: &thread)
  }

  private mutating func sample<Source: ValueSource & ~Copyable>(
    _ source: inout Source, on thread: inout SensorThread
  ) throws(SourceError) {
    var changes = AmbientChanges(of: sensor.measure, after: last)
    var isDelivering = false
    while let value = try source.next(interruptedBy: thread.link.wakeUp.event) {
      if !isDelivering {
        isDelivering = true
        thread.begins()
      }
      if let reading = changes.take(value) {
        last = reading
        thread.link.post(.reading(reading))
      }
    }
  }
}
