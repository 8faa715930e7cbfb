// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import TabletPicture

@Suite("The tablet in the picture")
struct AttitudeTests {
  private func distance(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    ((one - other) * (one - other)).sum().squareRoot()
  }

  @Test("has the edge up that gravity says, in every pose")
  func up() {
    for elevation in stride(from: -180.0, through: 180, by: 15) {
      for roll in stride(from: 0.0, to: 360, by: 15) {
        let up = held(elevation: elevation, roll: roll)
        #expect(distance(Attitude(up: up)(up), SIMD3(0, 1, 0)) < 1e-9, "\(elevation), \(roll)")
      }
    }
  }

  @Test("faces the viewer in each upright pose")
  func facing() {
    for roll in stride(from: 0.0, to: 360, by: 15) {
      let attitude = Attitude(up: held(elevation: 90, roll: roll))
      #expect(distance(attitude.out, SIMD3(0, 0, 1)) < 1e-9, "\(roll)")
    }
  }

  @Test("leans back when it is laid down, and lies on its screen after that of the other way")
  func leaning() {
    #expect(Attitude(up: SIMD3(0, 0, 1)).out.y > 0.999)
    // The top edge is away from the viewer.
    #expect(Attitude(up: SIMD3(0, 0, 1)).top.z < -0.999)
    #expect(Attitude(up: SIMD3(0, 0, -1)).out.y < -0.999)
  }

  @Test("keeps its direction while it is flat, and turns to the viewer when it is lifted")
  func lifting() {
    var attitude = Attitude(up: SIMD3(1, 0, 0))
    attitude.align(with: SIMD3(0, 0, 1))
    let flat = attitude
    attitude.face(seconds: 10)
    #expect(attitude == flat)
    // The right edge is away from the viewer now, so the lower edge is at one side.
    attitude.align(with: SIMD3(0, -1, 0))
    #expect(abs(attitude.out.x) > 0.999)
    for _ in 0..<100 { attitude.face(seconds: 0.033) }
    #expect(distance(attitude.out, SIMD3(0, 0, 1)) < 1e-3)
    #expect(abs(attitude.aversion) < 1e-3)
  }

  @Test("turns evenly between two values of gravity, and arrives")
  func spring() {
    var spring = Spring(at: SIMD2(0.0, 0), stiffness: 8)
    let target = SIMD2(1.0, 0)
    var before = 0.0
    for _ in 0..<60 {
      spring.follow(target, seconds: 1.0 / 30)
      #expect(spring.value.x >= before && spring.value.x <= 1)
      #expect(spring.value.x - before < 0.1)
      before = spring.value.x
    }
    #expect(spring.isAtRest(at: target))
  }

  @Test("is in the same place after one long step and after many short ones")
  func steps() {
    var (one, many) = (Spring(at: SIMD2(0.0, 0), stiffness: 8), Spring(at: SIMD2(0.0, 0), stiffness: 8))
    one.follow(SIMD2(1, 2), seconds: 0.4)
    for _ in 0..<8 { many.follow(SIMD2(1, 2), seconds: 0.05) }
    #expect(abs(one.value.x - many.value.x) < 1e-9)
    #expect(abs(one.value.y - many.value.y) < 1e-9)
  }
}
