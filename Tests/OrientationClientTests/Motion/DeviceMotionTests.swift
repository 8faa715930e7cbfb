// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationClient

@Suite("The motion of a device, from the samples of its sensors")
struct DeviceMotionTests {
  private func interval(_ milliseconds: Int) -> MotionInterval {
    MotionInterval(nearestTo: .milliseconds(milliseconds))
  }

  /// The values of so many samples of both sensors, 100 a second, of a device that lies on its back.
  private func values(
    _ count: Int, from first: Int = 0, gyroscope: Bool = true, by interpreter: inout DeviceMotionInterpreter
  ) -> [DeviceMotion] {
    (first..<first + count).flatMap { number -> [DeviceMotion] in
      let time = BootTime(nanoseconds: Int64(number) * 10_000_000)
      var found: [DeviceMotion?] = []
      if gyroscope { found.append(interpreter.value(of: [0, 0, 0.5], at: time, from: .gyroscope)) }
      found.append(interpreter.value(of: [1, 0, 9.8], at: time, from: .accelerometer))
      return found.compactMap(\.self)
    }
  }

  @Test("runs both sensors fast enough for quick turns, and as fast as the loop wants")
  func requests() {
    for (wanted, requested) in [(5, 5), (8, 8), (10, 10), (20, 10), (1000, 10)] {
      #expect(
        DeviceMotionInterpreter(every: interval(wanted)).requests == [
          .start(.accelerometer, interval: interval(requested)),
          .start(.gyroscope, interval: interval(requested)),
        ])
    }
    // Without a gyroscope, there are no quick turns to follow.
    for (wanted, requested) in [(5, 5), (20, 20), (40, 40), (1000, 40)] {
      var interpreter = DeviceMotionInterpreter(every: interval(wanted))
      interpreter.entered(.noSensor, of: .gyroscope)
      #expect(interpreter.requests.first == .start(.accelerometer, interval: interval(requested)))
      interpreter.entered(.starting, of: .gyroscope)
      #expect(interpreter.requests == DeviceMotionInterpreter(every: interval(wanted)).requests)
      // One that has failed delivers again without being started.
      interpreter.entered(.failed, of: .gyroscope)
      #expect(interpreter.requests.first == .start(.accelerometer, interval: interval(requested)))
      interpreter.entered(.active, of: .gyroscope)
      #expect(interpreter.requests == DeviceMotionInterpreter(every: interval(wanted)).requests)
    }
  }

  @Test("requests nothing else if it is denied or waits for polkit: each request asks polkit")
  func deniedChangesNoRequest() {
    for state in [nil, MotionState.noSensor] {
      var interpreter = DeviceMotionInterpreter(every: interval(20))
      if let state { interpreter.entered(state, of: .gyroscope) }
      let requests = interpreter.requests
      for state in [MotionState.waiting, .denied, .waiting, .denied, .suspended, .stopped] {
        for sensor in [MotionSensor.gyroscope, .accelerometer] { interpreter.entered(state, of: sensor) }
        #expect(interpreter.requests == requests)
      }
    }
  }

  @Test("comes at the wanted interval", arguments: [(10, 300), (20, 150), (25, 120), (100, 30), (1000, 3)])
  func pace(milliseconds: Int, count: Int) {
    var interpreter = DeviceMotionInterpreter(every: interval(milliseconds))
    #expect(abs(values(300, by: &interpreter).count - count) <= 1)
    // After a gap, and after a time that goes back, it comes at once and is not made up for.
    let later = values(300, from: 100_000, by: &interpreter)
    #expect(abs(later.count - count) <= 1)
    #expect(later.first?.timestamp == BootTime(nanoseconds: 1_000_000_000_000))
    #expect(abs(values(300, by: &interpreter).count - count) <= 1)
  }

  @Test("has the attitude and the rate of a gyroscope")
  func gyroscope() throws {
    var interpreter = DeviceMotionInterpreter(every: interval(10))
    let motion = try #require(values(200, by: &interpreter).last)
    #expect(motion.rotationRate == AngularVelocity(x: 0, y: 0, z: 0.5))
    let attitude = try #require(motion.attitude)
    // Flat but for what the acceleration disturbs, and turned by 0.5 rad/s for 1.99 s.
    #expect(abs(attitude.yaw - 0.995) < 0.05)
    #expect(abs(attitude.pitch) < 0.15 && abs(attitude.roll) < 0.15)
  }

  @Test("is separated into gravity and acceleration")
  func acceleration() throws {
    var interpreter = DeviceMotionInterpreter(every: interval(10))
    var last: DeviceMotion?
    for number in 0..<210 {
      let time = BootTime(nanoseconds: Int64(number) * 10_000_000)
      _ = interpreter.value(of: [0, 0, 0], at: time, from: .gyroscope)
      // It lies on its back, and is pushed to the right in the end.
      last = interpreter.value(of: [number < 200 ? 0 : 1, 0, 9.8], at: time, from: .accelerometer)
    }
    let motion = try #require(last)
    #expect(abs(motion.userAcceleration.x - 1) < 0.15 && abs(motion.userAcceleration.z) < 0.1)
    #expect(abs(motion.gravity.x) < 0.15 && abs(motion.gravity.z - 9.8) < 0.1)
  }

  @Test("waits for a gyroscope that is being started, and comes without an attitude if there is none")
  func noGyroscope() throws {
    var interpreter = DeviceMotionInterpreter(every: interval(10))
    #expect(values(10, gyroscope: false, by: &interpreter).isEmpty)
    interpreter.entered(.noSensor, of: .gyroscope)
    let motion = try #require(values(100, from: 10, gyroscope: false, by: &interpreter).last)
    #expect(motion.attitude == nil && motion.rotationRate == nil)
    // The low-pass has followed.
    #expect(abs(motion.gravity.x - 1) < 0.05)
    interpreter.disconnected()
    #expect(values(10, from: 200, gyroscope: false, by: &interpreter).isEmpty)
  }

  @Test("waits two seconds for a gyroscope that does not start, also in slow loops")
  func slowGyroscope() {
    var interpreter = DeviceMotionInterpreter(every: interval(10_000))
    #expect(values(300, gyroscope: false, by: &interpreter).count == 1)
    interpreter = DeviceMotionInterpreter(every: interval(10))
    interpreter.entered(.starting, of: .gyroscope)
    let motions = values(300, gyroscope: false, by: &interpreter)
    #expect(99...100 ~= motions.count)
    #expect(motions.allSatisfy { $0.attitude == nil && $0.rotationRate == nil })
    interpreter.entered(.active, of: .gyroscope)
    let later = values(10, from: 300, by: &interpreter)
    #expect(later.count == 10)
    #expect(later.allSatisfy { $0.attitude != nil && $0.rotationRate != nil })
    // If it is started again, values wait again.
    interpreter.entered(.starting, of: .gyroscope)
    #expect(values(10, from: 310, gyroscope: false, by: &interpreter).isEmpty)
  }

  @Test("takes the tilt anew after an interruption, but not when a new interval repeats the state")
  func repeatedState() throws {
    let cases: [(MotionState?, Bool)] = [
      (nil, false), (.starting, false), (.suspended, true), (.failed, true),
    ]
    for (interruption, isTakenAnew) in cases {
      var interpreter = DeviceMotionInterpreter(every: interval(10))
      interpreter.entered(.active, of: .accelerometer)
      _ = values(200, by: &interpreter)
      if let interruption { interpreter.entered(interruption, of: .accelerometer) }
      interpreter.entered(.active, of: .accelerometer)
      let time = BootTime(nanoseconds: 2_000_000_000)
      // A push: the direction of this reading is not that of gravity.
      let value = interpreter.value(of: [5, 0, 9.8], at: time, from: .accelerometer)
      let motion = try #require(value)
      #expect((motion.userAcceleration.x < 1) == isTakenAnew, "\(String(describing: interruption))")
    }
  }

  @Test("has the angles of CoreMotion")
  func angles() {
    func attitude(_ rotation: SIMD3<Double>) -> Attitude {
      Attitude(quaternion: Quaternion(rotation: rotation))
    }
    #expect(abs(attitude([0.4, 0, 0]).pitch - 0.4) < 1e-9)
    #expect(abs(attitude([0, 0.4, 0]).roll - 0.4) < 1e-9)
    #expect(abs(attitude([0, 0, 0.4]).yaw - 0.4) < 1e-9)
    // Yaw, then pitch, then roll, each about its own axis as it is turned by then.
    let (yaw, pitch) = (Quaternion(rotation: [0, 0, 2]), Quaternion(rotation: [-1, 0, 0]))
    let turned = yaw * pitch * Quaternion(rotation: [0, 3, 0])
    let all = Attitude(quaternion: turned)
    #expect(abs(all.yaw - 2) < 1e-9 && abs(all.pitch + 1) < 1e-9 && abs(all.roll - 3) < 1e-9)
    let half = Attitude(quaternion: turned * Quaternion(rotation: [0.2, 0, 0]))
    #expect(abs(half.relative(to: all).pitch - 0.2) < 1e-9)
  }

  @Test("has an interval within the limits of the daemon")
  func limits() {
    for (duration, microseconds) in [
      (.zero, 5000), (.seconds(-1), 5000), (.microseconds(-1), 5000), (.microseconds(5001), 5001),
      (.seconds(10), 10_000_000), (.seconds(1e12), 10_000_000), (.seconds(-1e12), 5000),
      (.milliseconds(1234), 1_234_000),
    ] as [(Duration, UInt32)] {
      #expect(MotionInterval(nearestTo: duration).microseconds == microseconds)
    }
  }
}
