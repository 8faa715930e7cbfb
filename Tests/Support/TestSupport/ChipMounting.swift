// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Orientation

/// A way in which a chip can be soldered: one of the 24 turns that take axes to axes.
package struct ChipMounting: Sendable {
  /// Where the chip's x, y and z point, in the screen's axes.
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let z: SIMD3<Double>

  /// All of them.
  package static let all: [ChipMounting] = {
    let halfAxes = axes.map(\.axis)
    return halfAxes.flatMap { x in
      halfAxes.compactMap { y in
        guard (x * y).sum() == 0 else { return nil }
        let z = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return ChipMounting(x: x, y: y, z: z)
      }
    }
  }()

  /// What the chip reads when this, in the screen's axes and units of standard gravity, holds the tablet up.
  package func reading(of held: SIMD3<Double>, _ sign: SignConvention) -> Acceleration<SensorFrame> {
    let force = held * (sign == .specificForce ? standardGravity : -standardGravity)
    return Acceleration(x: (x * force).sum(), y: (y * force).sum(), z: (z * force).sum())
  }
}

/// Both signs.
package let signs: [SignConvention] = [.specificForce, .gravity]

extension CalibrationPose {
  /// What holds the tablet up in the pose, in the screen's axes and units of standard gravity.
  package var heldUpBy: SIMD3<Double> {
    switch self {
    case .upright: SIMD3(0, 1, 0)
    case .flat: SIMD3(0, 0, 1)
    case .rightEdgeUp: SIMD3(1, 0, 0)
    }
  }
}

/// A vector of length one, turned by up to an angle in any direction.
package func tilted(_ vector: SIMD3<Double>, degrees: Double, _ noise: inout Noise) -> SIMD3<Double> {
  let random = noise.vector(deviation: 1)
  let across = random - vector * (random * vector).sum()
  let angle = degrees * noise.uniform() * .pi / 180
  return vector * cos(angle) + across * (sin(angle) / (across * across).sum().squareRoot())
}
