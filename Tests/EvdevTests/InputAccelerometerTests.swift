// SPDX-License-Identifier: Apache-2.0

import CLinux
import CMockInput
import Foundation
import Testing

@testable import Evdev

/// An accelerometer of our own, whose axes a test sets.
private final class Device {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("input-\(UUID())").path
  private let writing: CInt

  init(_ axes: [input_absinfo] = []) throws {
    writing = mock_input_create(path)
    try #require(writing >= 0)
    for (axis, info) in axes.enumerated() { set(UInt32(axis), info) }
  }

  deinit {
    close(writing)
    unlink(path)
  }

  func set(_ axis: UInt32, _ info: input_absinfo) {
    var info = info
    mock_input_set_axis(path, axis, &info)
  }
}

private func axis(
  _ value: Int32 = 0, range: ClosedRange<Int32> = 0...0, resolution: Int32 = 0
) -> input_absinfo {
  input_absinfo(
    value: value, minimum: range.lowerBound, maximum: range.upperBound, fuzz: 0, flat: 0,
    resolution: resolution)
}

@Suite("An accelerometer that is an input device")
struct InputAccelerometerTests {
  @Test("tells the present value of each axis, without events")
  func values() throws {
    let device = try Device([axis(12), axis(-1000), axis(.min)])
    let accelerometer = try InputAccelerometer(path: device.path)
    #expect(try accelerometer.counts().x == 12)
    #expect(try accelerometer.counts().y == -1000)
    #expect(try accelerometer.counts().z == .min)
    device.set(1, axis(998))
    #expect(try accelerometer.counts().y == 998)
  }

  @Test("has no event queued: those of a gamepad's motion sensors would come in hundreds a second")
  func mask() throws {
    let device = try Device([axis(), axis(), axis()])
    #expect(mock_input_mask(device.path, UInt32(EV_SYN), UInt32(EV_ABS)) != 0)
    let accelerometer = try InputAccelerometer(path: device.path)
    #expect(mock_input_mask(device.path, UInt32(EV_SYN), UInt32(EV_ABS)) == 0)
    _ = accelerometer
  }

  @Test(
    "has the resolution as its scale; one that is missing or cannot be is estimated, for all axes alike",
    arguments: [
      ([16384, 16384, 16384], -32767...32767, [16384, 16384, 16384]),
      ([64, 64, 56], -128...127, [64, 64, 56]), ([1024, 1024, 1024], 0...0, [1024, 1024, 1024]),
      ([0, 0, 0], -2048...2048, [1024, 1024, 1024]), ([1024, 0, 1024], -512...511, [256, 256, 256]),
      ([0, 0, 0], 0...0, [256, 256, 256]), ([-1, -1, -1], 0...0, [256, 256, 256]),
      ([.max, .max, .max], -512...511, [256, 256, 256]), ([.min, 0, 1], .min ... .max, [1_073_741_824]),
    ] as [([Int32], ClosedRange<Int32>, [Double])])
  func scale(resolutions: [Int32], range: ClosedRange<Int32>, expected: [Double]) throws {
    let device = try Device(resolutions.map { axis(range: range, resolution: $0) })
    let counts = try InputAccelerometer(path: device.path).countsPerG
    let all = expected.count == 1 ? [expected[0], expected[0], expected[0]] : expected
    #expect([counts.x, counts.y, counts.z] == all)
  }

  @Test("that is gone, may not be opened or has no axes says so")
  func errors() throws {
    #expect(throws: InputDeviceError.vanished(path: "/dev/input/nothing")) {
      _ = try InputAccelerometer(path: "/dev/input/nothing")
    }
    let device = try Device([axis(), axis(), axis()])
    let accelerometer = try InputAccelerometer(path: device.path)
    mock_input_fail(device.path, ENODEV)
    #expect(throws: InputDeviceError.vanished(path: device.path)) { _ = try accelerometer.counts().x }
    mock_input_fail(device.path, EINVAL)
    #expect(throws: InputDeviceError.system(operation: "EVIOCGABS", path: device.path, code: EINVAL)) {
      _ = try InputAccelerometer(path: device.path)
    }
  }
}
