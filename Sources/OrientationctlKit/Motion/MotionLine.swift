// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A sample of a motion sensor, as a line for people or for programs.
struct MotionLine {
  /// The sensor.
  let sensor: MotionCommand.Sensor
  /// When it was taken.
  let time: BootTime
  /// x, y and z, in the sensor's unit.
  let vector: SIMD3<Double>
  /// How many samples were lost before it.
  let lost: Int

  /// The line for people, without a line feed.
  var text: String {
    let numbers = [vector.x, vector.y, vector.z].map { number in
      let text = decimal(number, places: 3)
      return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
    return ([WallTime(time).timeOfDay] + numbers).joined(separator: " ")
  }

  /// The line for programs.
  var json: JSON {
    let name =
      switch sensor {
      case .accelerometer: "acceleration_m_s2"
      case .gravity: "gravity_m_s2"
      case .gyroscope: "rotation_rate_rad_s"
      }
    // Single precision: more digits would be made up.
    let rounded = (vector * 1e5).rounded(.toNearestOrEven) / 1e5
    return .object([
      .init("sensor", .string(sensor.rawValue)), .init("time", .string(WallTime(time).rfc3339)),
      .init("boottime_ns", .integer(time.nanoseconds)), .init("lost", .integer(Int64(lost))),
      .init(name, .array([.number(rounded.x), .number(rounded.y), .number(rounded.z)])),
    ])
  }
}
