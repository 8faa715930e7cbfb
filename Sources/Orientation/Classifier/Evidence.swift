// SPDX-License-Identifier: Apache-2.0

/// The evidence that the device has left its present orientation: a sum over time that is never below zero.
///
/// This is a cumulative sum test (Page 1954). While nothing happens, the sum stays at zero, so a change is found as fast
/// after an hour as after a second.
struct Evidence {
  /// How many times more evidence for the present orientation counts: a change needs proof, the present state does not.
  private static let weightOfPresent: Float = 4

  /// What a change needs, in g s: standard gravity past the border, times seconds.
  let need: Float
  /// The sum until now, in g s.
  private(set) var found: Float = 0

  /// Creates evidence that is zero.
  init(need: Float) {
    self.need = need
  }

  /// The sum as a fraction of the need.
  var share: Float { found / need }

  /// Whether the sum is zero.
  @inline(__always)
  var isEmpty: Bool { found == 0 }

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - excess: how far gravity is past the border; negative before it.
  ///   - elapsed: the time since the previous sample, in seconds.
  ///   - doubt: how many times longer than at rest the decision takes.
  /// - Returns: whether the evidence suffices.
  @inline(__always)
  mutating func add(excess: Float, elapsed: Float, doubt: Float) -> Bool {
    let weighed = excess < 0 ? Self.weightOfPresent * excess : excess
    found = larger(found + elapsed * weighed / doubt, 0)
    return found >= need
  }

  /// Sets the sum to zero.
  mutating func reset() {
    found = 0
  }
}
