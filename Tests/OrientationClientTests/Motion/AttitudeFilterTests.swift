// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import OrientationClient
import TestSupport
import Testing

/// A device that turns and moves, and what its sensors read of it.
private struct Device {
  /// How it is turned: from the screen's axes to those of the room.
  var attitude: Quaternion
  /// The bias of its gyroscope, rad/s, in the screen's axes.
  var bias = SIMD3<Double>(0, 0, 0)
  /// How much longer the chip reads gravity.
  var scale = 1.0
  private(set) var time = BootTime(nanoseconds: 5_000_000_000)
  private(set) var filter = AttitudeFilter()

  init(attitude: Quaternion = .identity) { self.attitude = attitude }

  /// Turns and moves for a while, with samples of both sensors, or of the accelerometer alone.
  mutating func move(
    seconds: Double, rate: SIMD3<Double> = [0, 0, 0], acceleration: SIMD3<Double> = [0, 0, 0],
    hertz: Double = 100, hasGyroscope: Bool = true
  ) {
    for _ in 0..<Int((seconds * hertz).rounded()) {
      attitude = attitude * Quaternion(rotation: rate / hertz)
      time = time.advanced(bySeconds: 1 / hertz)
      if hasGyroscope {
        let read = rate + bias
        filter.turn(by: AngularVelocity(x: read.x, y: read.y, z: read.z), at: time)
      }
      let force = attitude.inverse.rotating([0, 0, standardGravity * scale]) + acceleration
      filter.correct(by: Acceleration(x: force.x, y: force.y, z: force.z), at: time)
    }
  }

  /// A time without samples, in which the device turns.
  mutating func miss(seconds: Double, turned rotation: SIMD3<Double>) {
    attitude = attitude * Quaternion(rotation: rotation)
    time = time.advanced(bySeconds: seconds)
  }

  /// Repeats the last sample, and reads what is no number and what no sensor can read.
  mutating func readNonsense() {
    filter.turn(by: AngularVelocity(x: .nan, y: 0, z: 0), at: time.advanced(bySeconds: 0.001))
    filter.turn(by: AngularVelocity(x: 1e9, y: 0, z: 0), at: time.advanced(bySeconds: 0.002))
    for force: SIMD3<Double> in [[0, 0, 0], [.nan, 0, 0], [.infinity, 0, 0]] {
      filter.correct(
        by: Acceleration(x: force.x, y: force.y, z: force.z), at: time.advanced(bySeconds: 0.003))
    }
    filter.correct(by: Acceleration(x: 1, y: 2, z: 3), at: time)
  }

  /// How far what the filter takes for up is from up, in degrees.
  var degreesOff: Double {
    guard let found = filter.attitude else { return .nan }
    return degrees(found.inverse.rotating([0, 0, 1]), attitude.inverse.rotating([0, 0, 1]))
  }

  /// How much the filter's heading differs from the true one, in degrees.
  var headingOff: Double {
    guard let found = filter.attitude else { return .nan }
    let difference = found * attitude.inverse
    return 2 * atan2(difference.z, difference.w) * 180 / .pi
  }
}

private func degrees(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
  let cosine = (one * other).sum() / ((one * one).sum() * (other * other).sum()).squareRoot()
  return acos(max(-1, min(1, cosine))) * 180 / .pi
}

/// The angle between two directions of one circle, in degrees.
private func circular(_ degrees: Double) -> Double { remainder(degrees, 360) }

/// Devices that are turned in any way.
private func anyDevices(seed: UInt64, count: Int = 50) -> [Device] {
  var noise = Noise(seed: seed)
  return (0..<count).map { _ in Device(attitude: Quaternion(rotation: noise.vector(deviation: 2))) }
}

@Suite("The attitude of a device")
struct AttitudeFilterTests {
  @Test("is unknown before the first force, and then has its tilt at once")
  func first() {
    var filter = AttitudeFilter()
    filter.turn(by: AngularVelocity(x: 1, y: 1, z: 1), at: BootTime(nanoseconds: 1))
    #expect(filter.attitude == nil)
    #expect(filter.gravity == nil)
    for var device in anyDevices(seed: 1) {
      device.move(seconds: 0.01)
      #expect(device.degreesOff < 1e-5)
    }
    // Also face down: any axis is the shortest way then.
    var down = Device(attitude: Quaternion(rotation: [.pi, 0, 0]))
    down.move(seconds: 0.01)
    #expect(down.degreesOff < 1e-5)
  }

  @Test("of a device that lies still stays as it is, in any pose")
  func still() throws {
    for var device in anyDevices(seed: 2, count: 20) {
      device.move(seconds: 0.01)
      let before = try #require(device.filter.attitude)
      device.move(seconds: 10)
      let after = try #require(device.filter.attitude)
      #expect(abs((after * before.inverse).w) > 1 - 1e-12)
      #expect(device.degreesOff < 1e-5)
    }
  }

  @Test(
    "gravity of a device that lies still is what the accelerometer reads, whatever its scale",
    arguments: [0.8, 1, 1.2])
  func gravity(scale: Double) throws {
    for var device in anyDevices(seed: 3, count: 3) {
      device.scale = scale
      device.move(seconds: 60)
      let gravity = try #require(device.filter.gravity)
      let expected = device.attitude.inverse.rotating([0, 0, standardGravity * scale])
      let difference = SIMD3(gravity.x, gravity.y, gravity.z) - expected
      #expect((difference * difference).sum().squareRoot() < 0.01)
    }
  }

  @Test(
    "follows a constant rotation about any axis, at any rate of samples", arguments: [25.0, 50, 100, 200])
  func constantRotation(hertz: Double) {
    var noise = Noise(seed: 4)
    for var device in anyDevices(seed: 5, count: 20) {
      let axis = noise.direction()
      // The first step, from rest to the full rate, is taken to be half as fast.
      device.move(seconds: 2 / hertz, rate: axis * 3, hertz: hertz)
      let heading = device.headingOff
      device.move(seconds: 10, rate: axis * 3, hertz: hertz)
      #expect(device.degreesOff < 1, "\(axis)")
      #expect(abs(circular(device.headingOff - heading)) < 5, "\(axis)")
    }
  }

  @Test("drift of the tilt is corrected by gravity, so it stays within the bias times the time constant")
  func drift() {
    var noise = Noise(seed: 6)
    for var device in anyDevices(seed: 7, count: 10) {
      // A degree a second.
      device.bias = noise.direction() * (.pi / 180)
      device.move(seconds: 30)
      #expect(device.degreesOff < 1.1 * AttitudeFilter.timeConstant)
    }
  }

  @Test("a wrong tilt becomes a third of it within the time constant or a little more")
  func correction() {
    for var device in anyDevices(seed: 8, count: 20) {
      device.move(seconds: 0.5)
      // A turn by 20 degrees about a level axis that the gyroscope has missed.
      device.attitude = Quaternion(rotation: [20 * .pi / 180, 0, 0]) * device.attitude
      #expect(abs(device.degreesOff - 20) < 1e-3)
      device.move(seconds: AttitudeFilter.timeConstant)
      #expect(5...8 ~= device.degreesOff)
      device.move(seconds: 9 * AttitudeFilter.timeConstant)
      #expect(device.degreesOff < 0.1)
    }
  }

  @Test("has no reference for the heading: no force turns it about the vertical, and a bias makes it drift")
  func heading() throws {
    var noise = Noise(seed: 9)
    var filter = AttitudeFilter()
    var time = BootTime(nanoseconds: 0)
    for _ in 0..<1000 {
      let before = filter.attitude
      let force = noise.vector(deviation: 10)
      time = time.advanced(bySeconds: 0.02)
      filter.correct(by: Acceleration(x: force.x, y: force.y, z: force.z), at: time)
      guard let before, let after = filter.attitude else { continue }
      #expect(abs((after * before.inverse).z) < 1e-9)
    }
    // Flat, and the bias is about the vertical: a degree a second for a minute.
    var device = Device()
    device.bias = [0, 0, .pi / 180]
    device.move(seconds: 0.01)
    device.move(seconds: 60)
    #expect(device.degreesOff < 1e-5)
    #expect(abs(circular(device.headingOff - 60)) < 0.1)
  }

  @Test("is disturbed little by a hand that moves the device, and gravity and acceleration are separated")
  func disturbance() throws {
    for var device in anyDevices(seed: 10, count: 20) {
      device.move(seconds: 2)
      device.move(seconds: 0.3, acceleration: [4, 0, 0])
      // 23 degrees, the direction of the force, times 1 - 0.99^30.
      #expect(device.degreesOff < 6)
      let gravity = try #require(device.filter.gravity)
      let force = device.attitude.inverse.rotating([0, 0, standardGravity]) + [4, 0, 0]
      let acceleration = force - SIMD3(gravity.x, gravity.y, gravity.z)
      let difference = acceleration - [4, 0, 0]
      #expect((difference * difference).sum().squareRoot() < 0.9)
    }
  }

  @Test("the length of gravity is not changed by a shake")
  func shake() throws {
    var device = Device()
    device.move(seconds: 2)
    for step in 0..<500 {
      device.move(seconds: 0.01, acceleration: [8 * sin(2 * .pi * 5 * Double(step) / 100), 0, 0])
    }
    let gravity = try #require(device.filter.gravity)
    #expect(abs(gravity.z - standardGravity) < 0.1)
  }

  @Test("without a gyroscope, the tilt follows the readings quickly")
  func withoutGyroscope() {
    for var device in anyDevices(seed: 11, count: 20) {
      device.move(seconds: 1, hasGyroscope: false)
      device.attitude = Quaternion(rotation: [0.3, 0, 0]) * device.attitude
      device.move(seconds: 0.6, hasGyroscope: false)
      #expect(device.degreesOff < 0.3)
    }
  }

  @Test("after a gap, the tilt is taken from the next force, and so it is after a time that goes back")
  func gaps() {
    for var device in anyDevices(seed: 12, count: 20) {
      device.move(seconds: 1)
      device.miss(seconds: 5, turned: [1, 1, 0])
      device.move(seconds: 0.01)
      #expect(device.degreesOff < 1e-5)
      device.miss(seconds: -100, turned: [1, 1, 0])
      device.move(seconds: 0.01)
      #expect(device.degreesOff < 1e-5)
    }
  }

  @Test("is not changed by readings that are repeated, or that no sensor can have")
  func nonsense() throws {
    for var device in anyDevices(seed: 13, count: 20) {
      device.move(seconds: 1)
      let before = try #require(device.filter.attitude)
      device.readNonsense()
      #expect(device.filter.attitude == before)
    }
  }
}
