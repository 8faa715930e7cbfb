// SPDX-License-Identifier: Apache-2.0

/// The evidence that the device left its present orientation, summed up over time and never below zero.
///
/// A cumulative sum test (Page 1954): as long as nothing happens the sum rests at zero, so that a change is found as fast
/// after an hour as after a second.
struct Evidence {
  /// How many times evidence for the present orientation counts: to leave takes a case, to stay takes none.
  private static let weightOfPresent: Float = 4

  /// What a change needs, in g s: standard gravity that lies past the border, times seconds.
  let need: Float
  /// What was found so far, in g s.
  private(set) var found: Float = 0

  /// Creates a case without evidence.
  init(need: Float) {
    self.need = need
  }

  /// What was found as a share of what is needed.
  var share: Float { found / need }

  /// Whether there is none.
  @inline(__always)
  var isEmpty: Bool { found == 0 }

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - excess: how far gravity lies past the border; negative on the near side.
  ///   - elapsed: the time since the last one, in seconds.
  ///   - doubt: how many times longer than at rest it takes.
  /// - Returns: whether the evidence suffices.
  @inline(__always)
  mutating func add(excess: Float, elapsed: Float, doubt: Float) -> Bool {
    let weighed = excess < 0 ? Self.weightOfPresent * excess : excess
    found = larger(found + elapsed * weighed / doubt, 0)
    return found >= need
  }

  /// Forgets what was found.
  mutating func reset() {
    found = 0
  }
}
