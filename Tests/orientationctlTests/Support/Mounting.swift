// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

@testable import orientationctl

/// A way in which a chip can be soldered: one of the 24 turns that take axes to axes.
struct Mounting {
  /// Where the chip's x, y and z point, in the screen's axes.
  private let x: SIMD3<Double>
  private let y: SIMD3<Double>
  private let z: SIMD3<Double>

  /// All of them.
  static let all: [Mounting] = {
    let halfAxes = axes.map(\.axis)
    return halfAxes.flatMap { x in
      halfAxes.compactMap { y in
        guard (x * y).sum() == 0 else { return nil }
        let z = SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return Mounting(x: x, y: y, z: z)
      }
    }
  }()

  /// What the chip reads when this, in the screen's axes and units of standard gravity, holds the tablet up.
  func reading(of held: SIMD3<Double>, _ sign: SignConvention) -> Acceleration<SensorFrame> {
    let force = held * (sign == .readsWhatHoldsItUp ? standardGravity : -standardGravity)
    return Acceleration(x: (x * force).sum(), y: (y * force).sum(), z: (z * force).sum())
  }
}

/// Both signs.
let signs: [SignConvention] = [.readsWhatHoldsItUp, .readsTheOpposite]

/// What holds the tablet up in each orientation, in the screen's axes and units of standard gravity.
let axes: [(orientation: DeviceOrientation, axis: SIMD3<Double>)] = [
  (.portrait, SIMD3(0, 1, 0)), (.portraitUpsideDown, SIMD3(0, -1, 0)),
  (.landscapeLeft, SIMD3(1, 0, 0)), (.landscapeRight, SIMD3(-1, 0, 0)),
  (.faceUp, SIMD3(0, 0, 1)), (.faceDown, SIMD3(0, 0, -1)),
]

extension CalibrationPose {
  /// What holds the tablet up in the pose, in the screen's axes and units of standard gravity.
  var heldUpBy: SIMD3<Double> {
    switch self {
    case .upright: SIMD3(0, 1, 0)
    case .flat: SIMD3(0, 0, 1)
    case .rightEdgeUp: SIMD3(1, 0, 0)
    }
  }
}

/// What holds the tablet up when its screen stands `elevation` degrees above the table, rolled by `roll` degrees towards
/// its right edge up.
func held(elevation: Double, roll: Double) -> SIMD3<Double> {
  let (elevation, roll) = (elevation * .pi / 180, roll * .pi / 180)
  return SIMD3(sin(elevation) * sin(roll), sin(elevation) * cos(roll), cos(elevation))
}

/// A vector of length one, turned by up to an angle in any direction.
func tilted(_ vector: SIMD3<Double>, degrees: Double, _ noise: inout Noise) -> SIMD3<Double> {
  let random = noise.vector(deviation: 1)
  let across = random - vector * (random * vector).sum()
  let angle = degrees * noise.uniform() * .pi / 180
  return vector * cos(angle) + across * (sin(angle) / (across * across).sum().squareRoot())
}

/// A generator of random numbers that gives the same numbers every time.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number between 0 and 1 (splitmix64, Steele, Lea and Flood 2014).
  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }

  /// A vector of normally distributed numbers (Box and Muller 1958).
  mutating func vector(deviation: Double) -> SIMD3<Double> {
    func normal(_ noise: inout Noise) -> Double {
      deviation * sqrt(-2 * log(1 - noise.uniform())) * cos(2 * .pi * noise.uniform())
    }
    return SIMD3(normal(&self), normal(&self), normal(&self))
  }
}
