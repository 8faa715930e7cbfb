// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationService
import SensorSetup

@testable import IIO
@testable import OrientationctlKit

/// What a made-up accelerometer reads, polled, and what becomes of it.
struct DeviceReadings {
  /// So many turns of the sampler are played with each reading, 40 ms apart: until the tablet may rest.
  private static let turns = 40
  /// How often it is read, in hertz: the reads of an input take some microseconds.
  private static let rate = 1e6

  private let readings: [Acceleration<SensorFrame>]
  private let scales: SensorScales

  /// Opens and reads the sensor.
  init(
    of sensor: SensorDescription
  ) throws(SourceError) {
    let device = sensor.device
    let sensitivity = ChangeSensitivity(of: device, keptBy: OwnSettings(of: device))
    sensitivity?.keep()
    _ = sensitivity?.reportChangesOnly(beyond: Rest.leastTolerance * standardGravity)
    let axes = try PolledAxes(of: device)
    let first = try axes.acceleration()
    var readings = [first]
    var source = try PolledSource(sensor, SamplingOptions(rate: Self.rate))
    let wakeUp = try WakeUpEvent()
    for _ in 0..<3 {
      if let sample = try source.next(interruptedBy: wakeUp) { readings.append(sample.acceleration) }
    }
    let rest = Rest(at: first, tolerance: Rest.leastTolerance * standardGravity)
    readings.append(try axes.acceleration(leaving: rest))
    self.readings = readings
    scales = try SensorScales(of: sensor)
  }

  /// Checks the readings, has them classified, and records them.
  func check(as sensor: SensorDescription) throws(Violation) {
    let mounting = Mounting(of: sensor, configuration: Configuration(), natural: .portrait)
    var pipeline = OrientationPipeline(transform: mounting.transform)
    var detector = RestDetector()
    var time = BootTime(nanoseconds: 1_000_000_000)
    for reading in readings {
      try expect(isInBounds(reading), "\(reading) is read")
      for _ in 0..<Self.turns {
        time = time.advanced(bySeconds: 0.04)
        let sample = Sample(time: time, acceleration: reading)
        _ = pipeline.process(sample)
        guard detector.isStill(after: sample), detector.takeRest(in: pipeline) != nil else { continue }
        time = time.advanced(bySeconds: 10)
        detector.moved(at: time)
        pipeline.rest(until: time)
      }
      let screen = mounting.transform(reading)
      let raw = scales.x.raw(acceleration: reading.x)
      for number in [screen.x, screen.y, screen.z, raw] {
        try expect(!decimal(number, places: 6).isEmpty && !shortDecimal(number).isEmpty, "\(number)")
      }
    }
  }
}

/// Whether the filters, which have floats, can hold a reading.
func isInBounds(_ reading: Acceleration<SensorFrame>) -> Bool {
  [reading.x, reading.y, reading.z].allSatisfy { abs($0) < Double(Float.greatestFiniteMagnitude) }
}
