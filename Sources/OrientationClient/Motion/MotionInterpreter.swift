// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Makes the values of a loop from the samples that the daemon sends.
protocol MotionInterpreter<Value>: Sendable {
  /// What the loop gets.
  associatedtype Value: Sendable

  /// What is requested of the daemon; it may change with the states of streams.
  var requests: [MotionRequest] { get }
  /// The sensor whose state is that of the loop.
  var sensor: MotionSensor { get }

  /// Takes a sample.
  ///
  /// - Parameters:
  ///   - vector: x, y and z, which are finite.
  ///   - time: when it was taken.
  ///   - sensor: whose it is.
  /// - Returns: the value that is complete now; nil if none is.
  mutating func value(of vector: SIMD3<Double>, at time: BootTime, from sensor: MotionSensor) -> Value?

  /// Notes the state of a stream.
  mutating func entered(_ state: MotionState, of sensor: MotionSensor)

  /// Notes that the connection has ended.
  mutating func disconnected()
}

/// Makes a value from each sample of one sensor.
struct SampleInterpreter<Value: Sendable>: MotionInterpreter {
  let sensor: MotionSensor
  let interval: MotionInterval
  /// Makes the value from x, y, z and the time.
  let make: @Sendable (SIMD3<Double>, BootTime) -> Value

  var requests: [MotionRequest] { [.start(sensor, interval: interval)] }

  func value(of vector: SIMD3<Double>, at time: BootTime, from sensor: MotionSensor) -> Value? {
    sensor == self.sensor ? make(vector, time) : nil
  }

  func entered(_ state: MotionState, of sensor: MotionSensor) {}

  func disconnected() {}
}
