// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@Suite("What happens to the input happens to the answer")
struct SymmetryTests {
  /// A device that is turned at random, in g.
  private let walk: [SIMD3<Double>] = {
    var noise = Noise(seed: 7)
    var attitude = SIMD3(0.0, 1, 0)
    return (0..<10_000).map { _ in
      attitude += noise.vector(deviation: 0.08)
      attitude /= (attitude * attitude).sum().squareRoot()
      return attitude + noise.vector(deviation: 0.02)
    }
  }()

  private func compare(
    _ turn: (SIMD3<Double>) -> SIMD3<Double>, _ answers: [DeviceOrientation: DeviceOrientation]
  ) {
    var straight = OrientationPipeline(transform: .identity)
    var turned = OrientationPipeline(transform: .identity)
    let expected = straight.feed(walk)
    let found = turned.feed(walk.map(turn))
    #expect(expected.count > 50)
    #expect(Set(expected.map(\.orientation)).count == 6)
    #expect(found.map(\.orientation) == expected.map { answers[$0.orientation] ?? $0.orientation })
    #expect(found.map(\.time) == expected.map(\.time))
  }

  @Test("turning the input by a quarter in the plane of the screen turns the answer")
  func quarterTurn() {
    compare(
      { SIMD3($0.y, -$0.x, $0.z) },
      [
        .portrait: .landscapeLeft, .landscapeLeft: .portraitUpsideDown, .portraitUpsideDown: .landscapeRight,
        .landscapeRight: .portrait,
      ])
  }

  @Test("turning the input by a half turns the answer")
  func halfTurn() {
    compare(
      { SIMD3(-$0.x, -$0.y, $0.z) },
      [
        .portrait: .portraitUpsideDown, .portraitUpsideDown: .portrait, .landscapeLeft: .landscapeRight,
        .landscapeRight: .landscapeLeft,
      ])
  }

  @Test("mirroring the input from side to side mirrors the answer")
  func mirroredSides() {
    compare(
      { SIMD3(-$0.x, $0.y, $0.z) }, [.landscapeLeft: .landscapeRight, .landscapeRight: .landscapeLeft])
  }

  @Test("mirroring the input from top to bottom mirrors the answer")
  func mirroredTop() {
    compare(
      { SIMD3($0.x, -$0.y, $0.z) }, [.portrait: .portraitUpsideDown, .portraitUpsideDown: .portrait])
  }

  @Test("mirroring the input from front to back mirrors the answer")
  func mirroredFace() {
    compare({ SIMD3($0.x, $0.y, -$0.z) }, [.faceUp: .faceDown, .faceDown: .faceUp])
  }
}
