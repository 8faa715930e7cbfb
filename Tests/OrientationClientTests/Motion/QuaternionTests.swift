// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import OrientationClient
import TestSupport
import Testing

@Suite("A rotation")
struct QuaternionTests {
  /// Whether two vectors are the same but for rounding.
  private func isSame(_ one: SIMD3<Double>, _ other: SIMD3<Double>, within tolerance: Double = 1e-9) -> Bool {
    let difference = one - other
    return (difference * difference).sum() < tolerance * tolerance
  }

  @Test("about each axis is counterclockwise when seen from its end")
  func handedness() {
    let quarter = Double.pi / 2
    #expect(isSame(Quaternion(rotation: [quarter, 0, 0]).rotating([0, 1, 0]), [0, 0, 1]))
    #expect(isSame(Quaternion(rotation: [0, quarter, 0]).rotating([0, 0, 1]), [1, 0, 0]))
    #expect(isSame(Quaternion(rotation: [0, 0, quarter]).rotating([1, 0, 0]), [0, 1, 0]))
  }

  @Test("by an angle has the sine and cosine of half of it, also after several turns")
  func series() {
    for tenths in stride(from: -400, through: 400, by: 1) {
      let angle = Double(tenths) / 10
      let rotation = Quaternion(rotation: [0, angle, 0])
      // A quaternion and its negative are the same rotation.
      let sign = rotation.w * cos(angle / 2) < 0 ? -1.0 : 1.0
      #expect(abs(sign * rotation.w - cos(angle / 2)) < 1e-8, "\(angle)")
      #expect(abs(sign * rotation.y - sin(angle / 2)) < 1e-8, "\(angle)")
    }
  }

  @Test("keeps lengths, is undone by its inverse, and two are one product")
  func laws() {
    var noise = Noise(seed: 7)
    for _ in 0..<1000 {
      let (first, second) = (noise.vector(deviation: 2), noise.vector(deviation: 2))
      let (one, other) = (Quaternion(rotation: first), Quaternion(rotation: second))
      let vector = noise.direction()
      let turned = one.rotating(vector)
      #expect(abs((turned * turned).sum() - 1) < 1e-9)
      #expect(isSame(one.inverse.rotating(turned), vector))
      #expect(isSame((other * one).rotating(vector), other.rotating(turned)))
    }
  }

  @Test("from one direction to another is the smallest, also to the opposite one")
  func fromTo() {
    var noise = Noise(seed: 8)
    for _ in 0..<1000 {
      let (from, to) = (noise.direction(), noise.direction())
      let rotation = Quaternion(from: from, to: to)
      #expect(isSame(rotation.rotating(from), to))
      #expect(abs(abs(2 * acos(min(1, abs(rotation.w)))) - acos(max(-1, min(1, (from * to).sum())))) < 1e-6)
      #expect(isSame(Quaternion(from: from, to: -from).rotating(from), -from))
      #expect(isSame(Quaternion(from: from, to: from).rotating(to), to))
    }
    for axis in [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)] {
      #expect(isSame(Quaternion(from: axis, to: -axis).rotating(axis), -axis))
    }
  }

  @Test("is made from four numbers unless these have no length, and is none for a vector that is not finite")
  func numbers() {
    #expect(Quaternion(x: 0, y: 0, z: 0, w: -2)?.w == -1)
    #expect(Quaternion(x: 0, y: 0, z: 0, w: 0) == nil)
    #expect(Quaternion(x: .nan, y: 0, z: 0, w: 1) == nil)
    #expect(Quaternion(x: .infinity, y: 0, z: 0, w: 1) == nil)
    for number in [Double.nan, .infinity, .greatestFiniteMagnitude] {
      #expect(Quaternion(rotation: [number, 0, 0]) == .identity)
    }
  }
}
