// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@testable import OrientationService

/// What a sensor reads whose screen leans back by so many degrees, in any roll, in m/s^2.
private func leaning(_ degrees: Double, roll: Double = 0) -> Acceleration<ScreenFrame> {
  let force = held(elevation: 90 - degrees, roll: roll) * standardGravity
  return Acceleration(x: force.x, y: force.y, z: force.z)
}

extension ScreenTilt {
  /// The tilt after a screen has been leaned so, one after the other.
  fileprivate static func after(_ degrees: Double...) -> ScreenTilt {
    degrees.reduce(.undefined) { $0.next(with: leaning($1)) }
  }
}

@Suite("The tilt")
struct ScreenTiltTests {
  @Test("without one before, has its borders at 20 and 70 degrees, the same in every roll")
  func borders() {
    for roll in stride(from: 0.0, to: 360, by: 15) {
      for (degrees, tilt) in [
        (0, .vertical), (19.9, .vertical), (20.1, .tiltedUp), (69.9, .tiltedUp), (70.1, .faceUp),
        (90, .faceUp),
        (-19.9, .vertical), (-20.1, .tiltedDown), (-69.9, .tiltedDown), (-70.1, .faceDown), (-90, .faceDown),
      ] as [(Double, ScreenTilt)] {
        #expect(
          ScreenTilt.undefined.next(with: leaning(degrees, roll: roll)) == tilt, "\(degrees) at \(roll)")
      }
    }
  }

  @Test("on the way back to the vertical, has them 5 degrees further in", arguments: [1.0, -1])
  func hysteresis(sign: Double) {
    let (tilted, flat): (ScreenTilt, ScreenTilt) = sign > 0 ? (.tiltedUp, .faceUp) : (.tiltedDown, .faceDown)
    #expect(ScreenTilt.after(80 * sign, 65.1 * sign) == flat)
    #expect(ScreenTilt.after(80 * sign, 64.9 * sign) == tilted)
    #expect(ScreenTilt.after(80 * sign, 64.9 * sign, 69.9 * sign) == tilted)
    #expect(ScreenTilt.after(40 * sign, 15.1 * sign) == tilted)
    #expect(ScreenTilt.after(40 * sign, 14.9 * sign) == .vertical)
    #expect(ScreenTilt.after(40 * sign, 14.9 * sign, 19.9 * sign) == .vertical)
  }

  @Test("does not flutter where the screen trembles by less than that, wherever it is held")
  func tremble() {
    for degrees in stride(from: -90.0, through: 90, by: 0.5) {
      var tilt = ScreenTilt.after(degrees)
      var changes = 0
      for step in 0..<40 {
        let next = tilt.next(with: leaning(degrees + (step.isMultiple(of: 2) ? 2.4 : -2.4)))
        changes += next == tilt ? 0 : 1
        tilt = next
      }
      #expect(changes <= 1, "\(degrees)")
    }
  }

  @Test("of a screen turned over at once is not the tilt of the other side")
  func turnedOver() {
    #expect(ScreenTilt.after(80, -66) == .tiltedDown)
    #expect(ScreenTilt.after(40, -16) == .vertical)
  }

  @Test("does not depend on how strong the reading is, and stays where that has no direction")
  func strength() {
    for factor in [1e-3, 1, 26] {
      let reading = leaning(45)
      let scaled = Acceleration<ScreenFrame>(
        x: reading.x * factor, y: reading.y * factor, z: reading.z * factor)
      #expect(ScreenTilt.undefined.next(with: scaled) == .tiltedUp)
    }
    #expect(ScreenTilt.faceUp.next(with: Acceleration(x: 0, y: 0, z: 0)) == .faceUp)
    #expect(ScreenTilt.faceUp.next(with: Acceleration(x: .nan, y: 0, z: 1)) == .faceUp)
  }

  @Test("has the words of iio-sensor-proxy")
  func words() {
    #expect(
      ScreenTilt.allCases.map(\.word)
        == ["undefined", "vertical", "tilted-up", "tilted-down", "face-up", "face-down"])
  }
}
