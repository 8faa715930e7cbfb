// SPDX-License-Identifier: Apache-2.0

// A thread of the ambient sensors: it looks through the devices, or samples one sensor until it is to end. Whatever goes
// wrong with a sensor is reported, and tried again with growing pauses.

import CLinux
import IIO
import Orientation
import SensorSetup

/// The purpose of such a thread.
enum AmbientJob: Sendable {
  /// To look through the devices, and end.
  case look
  /// To sample a sensor, beside the display's accelerometer.
  ///
  /// Its hysteresis goes on from its last reading.
  case sample(AmbientSensor, beside: SamplerLink, after: AmbientReading?)
}

/// What the thread does.
struct AmbientThread: ~Copyable {
  /// How much later than asked for a sensor may be read, in nanoseconds: 50 ms are not seen on values that come at 4 Hz, and
  /// the kernel can wake up once for several threads.
  private static let timerSlack: UInt = 50_000_000

  /// How long a buffer that has become free is left alone, in seconds.
  private static let pauseForFreeBuffer = 0.5

  private let link: AmbientLink
  private let sensor: AmbientSensor
  private let display: SamplerLink
  private var last: AmbientReading?
  private var pause = RetryBackoff()

  /// Does a job, and reports when it is done.
  static func run(_ job: AmbientJob, for link: AmbientLink) {
    switch job {
    case .look:
      nameThread("sensor-look")
      look(for: link)
    case .sample(let sensor, let display, let earlier):
      nameThread("sensor-\(sensor.kind.rawValue)")
      var thread = AmbientThread(link: link, sensor: sensor, display: display, last: earlier)
      thread.run()
    }
    releaseOpeningMemory()
    link.post(.ended)
  }

  private static func look(for link: AmbientLink) {
    do throws(SourceError) {
      // Not in the next line: an indirect case whose value throws needs a function that Embedded Swift 6.2 lacks.
      let catalog = try AmbientCatalog.local()
      link.post(.found(catalog))
    } catch {
      link.post(.failed(error))
    }
  }

  private init(link: AmbientLink, sensor: AmbientSensor, display: SamplerLink, last: AmbientReading?) {
    self.link = link
    self.sensor = sensor
    self.display = display
    self.last = last
  }

  private mutating func run() {
    setTimerSlack(nanoseconds: Self.timerSlack)
    // From this wait on, a driver that hangs is noticed; opening can hang too.
    _ = link.wakeUp.wait(until: .now)
    while !link.isStopRequested {
      do throws(SourceError) {
        try sample()
      } catch {
        if case .bufferIsFree = error {
          // Opened anew, but not in a loop without a pause if a program takes and releases it all the time.
          _ = link.wakeUp.wait(until: .now.advanced(bySeconds: Self.pauseForFreeBuffer))
          continue
        }
        link.post(.failed(error))
        // The device may be gone: the next look through the devices ends this thread then.
        _ = link.wakeUp.wait(until: .now.advanced(bySeconds: pause.next(at: .now)))
      }
    }
  }

  /// Opens the sensor by the best way it has, and samples until it is to end.
  private mutating func sample() throws(SourceError) {
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
    // The request to end is not drained: it holds for all that follows.
    while let value = try source.next(interruptedBy: link.wakeUp) {
      if !isDelivering {
        isDelivering = true
        releaseOpeningMemory()
        pause.succeeded(at: .now)
      }
      if let reading = changes.take(value) {
        last = reading
        link.post(.reading(reading))
      }
    }
  }
}
