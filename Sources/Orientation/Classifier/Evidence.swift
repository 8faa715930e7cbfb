// SPDX-License-Identifier: Apache-2.0

/// The evidence that the device has left its present orientation: a sum over time that is never below zero.
///
/// This is a cumulative sum test (Page 1954). While nothing happens, the sum stays at zero, so a change is found as fast
/// after an hour as after a second.
struct Evidence {
  /// How many times more evidence for the present orientation counts: a change needs proof, the present state does not.
  private static let weightOfPresent: Float = 4

  /// How much an excess that is not clear counts at most: with the normal need, a device at rest changes after 3 s,
  /// unless it lay flat.
  ///
  /// Someone who holds a device close to a border sways across it and comes back. Measured with the movements of hands that
  /// write, call and look around, in random attitudes (`--attitudes` in `Benchmarks/quality`): a fifth of the unwanted
  /// changes is gone. A turn goes through this part so quickly that its answer is no later.
  private static let mostUnclear: Float = 0.0053

  /// What a change needs, in seconds: excess past the border (``Border/excess(of:over:)``), times seconds.
  let need: Float
  /// The sum until now, in seconds.
  private(set) var found: Float = 0

  /// The sum as a fraction of the need.
  var share: Float { found / need }

  /// Whether the sum is zero.
  @inline(__always)
  var isEmpty: Bool { found == 0 }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - excess: how far gravity is past the border; negative before it.
  ///   - clear: from which excess on the border has been crossed clearly.
  ///   - elapsed: the time since the previous sample, in seconds.
  ///   - doubt: how many times longer than at rest the decision takes.
  /// - Returns: whether the evidence suffices.
  @inline(__always)
  mutating func add(excess: Float, clearFrom clear: Float, elapsed: Float, doubt: Float) -> Bool {
    found = larger(found + elapsed * weighed(excess, clearFrom: clear) / doubt, 0)
    return found >= need
  }

  @inline(__always)
  private func weighed(_ excess: Float, clearFrom clear: Float) -> Float {
    if excess > clear { return excess }
    return excess > 0 ? smaller(excess, Self.mostUnclear) : Self.weightOfPresent * excess
  }

  /// Sets the sum to zero.
  mutating func reset() {
    found = 0
  }
}
