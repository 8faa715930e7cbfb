// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("The low-pass filter")
struct LowPassFilterTests {
  private func sample(at seconds: Double, x: Double) -> Sample<ScreenFrame> {
    Sample(
      time: BootTime(nanoseconds: Int64((seconds * 1e9).rounded())),
      acceleration: Acceleration(x: x, y: -x, z: 2 * x))
  }

  @Test("its gain at rest is one, exactly")
  func gainAtRest() {
    var filter = LowPassFilter(timeConstantSeconds: 0.1)
    var gravity = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)
    for tick in 0..<1000 {
      _ = filter.update(with: sample(at: Double(tick) / 25, x: 9.8), gravity: &gravity)
      #expect(gravity == Acceleration(x: 9.8, y: -9.8, z: 19.6))
    }
  }

  @Test(
    "after its time constant two thirds of a step have passed, at any rate",
    arguments: [50.0, 100, 200, 1000])
  func step(rate: Double) {
    var filter = LowPassFilter(timeConstantSeconds: 0.2)
    var gravity = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)
    _ = filter.update(with: sample(at: 0, x: 0), gravity: &gravity)
    for tick in 1...Int(0.2 * rate) {
      _ = filter.update(with: sample(at: Double(tick) / rate, x: 1), gravity: &gravity)
    }
    #expect(abs(gravity.x - 0.632) < 0.03)
  }

  @Test("a gap of more than a second, or time going back, starts it anew")
  func gap() {
    for later in [11.01, 9.99] {
      var filter = LowPassFilter(timeConstantSeconds: 0.1)
      var gravity = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)
      #expect(filter.update(with: sample(at: 9.0, x: 1), gravity: &gravity) == .started)
      #expect(filter.update(with: sample(at: 10.0, x: 1), gravity: &gravity) == .continued)
      #expect(filter.update(with: sample(at: later, x: 5), gravity: &gravity) == .started)
      #expect(gravity.x == 5)
    }
  }
}
