// SPDX-License-Identifier: Apache-2.0

/// A specific force in units of standard gravity, along the screen's x, y and z axes; the fourth lane is always zero.
///
/// Single precision resolves a millionth of gravity, a thousand times less than any sensor's noise, and four lanes
/// fill one register.
typealias Force = SIMD4<Float>

extension SIMD4<Float> {
  /// Converts an acceleration to a force.
  init(_ acceleration: Acceleration<ScreenFrame>) {
    let (x, y, z) = (acceleration.x, acceleration.y, acceleration.z)
    self.init(Float(x / standardGravity), Float(y / standardGravity), Float(z / standardGravity), 0)
  }

  /// The square of the length, in squares of standard gravity.
  @inline(__always)
  var squaredLength: Float { (self * self).total }

  /// The sum along the three axes.
  @inline(__always)
  var total: Float { x + y + z }

  /// The length, in units of standard gravity.
  @inline(__always)
  var length: Float { squaredLength.squareRoot() }
}

extension SIMD4<Float> {
  /// Whether several axes are at the end of their range: in a hand, no two are that equal.
  var isRailed: Bool {
    let axes = SIMD4(abs(x), abs(y), abs(z), 0)
    let railed = axes .>= SIMD4(repeating: axes.max() * 0.999)
    return (railed[0] && (railed[1] || railed[2])) || (railed[1] && railed[2])
  }
}

extension Acceleration<ScreenFrame> {
  /// Converts a force to an acceleration.
  ///
  /// It is called a few times a second; if it were inlined, the hot loop would have fewer registers.
  @inline(never)
  init(_ force: Force) {
    let inSI = SIMD3(Double(force.x), Double(force.y), Double(force.z)) * standardGravity
    self.init(x: inSI.x, y: inSI.y, z: inSI.z)
  }

  /// The same, rounded to a hundred-thousandth, which is the resolution of single precision.
  package var rounded: Acceleration {
    let rounded = (SIMD3(x, y, z) * 1e5).rounded(.toNearestOrEven) / 1e5
    return Acceleration(x: rounded.x, y: rounded.y, z: rounded.z)
  }
}

/// The larger of two numbers, in one instruction; `max` takes five, because it handles NaN and signed zeros.
@inline(__always)
func larger(_ first: Float, _ second: Float) -> Float { first > second ? first : second }

/// The smaller of two numbers, also in one instruction.
@inline(__always)
func smaller(_ first: Float, _ second: Float) -> Float { first < second ? first : second }

/// The fraction of a step that a first-order low-pass follows.
///
/// - Parameters:
///   - elapsed: the time since the previous sample, in seconds, above zero.
///   - timeConstant: the time after which about two thirds of a step have passed, in seconds.
/// - Returns: the fraction, 0 to 1.
@inline(__always)
func lowPassWeight(elapsed: Float, timeConstant: Float) -> Float {
  elapsed / (timeConstant + elapsed)
}
