// SPDX-License-Identifier: Apache-2.0

/// Whether something is close to the screen.
public enum Proximity: Equatable, Sendable, BitwiseCopyable {
  /// Something is, so that the screen is covered.
  case near
  /// Nothing is.
  case far
}

/// From which reading on something is near, in the counts of the chip: more is nearer.
public struct NearLevel: Equatable, Sendable, BitwiseCopyable {
  /// How far below the near level a reading has to fall to be far, as a part of it.
  ///
  /// A hand that holds still, and the chip's own noise, move the reading by some percent; an infrared echo falls with the
  /// fourth power of the distance, so that a tenth is a matter of 3 % of that.
  static let hysteresis = 0.1

  /// The least count that is near.
  public let counts: Double

  /// Takes a near level; nil for one that is not above zero, which nothing could be below.
  public init?(counts: Double) {
    guard counts > 0, counts.isFinite else { return nil }
    self.counts = counts
  }

  /// What a reading says.
  ///
  /// - Parameters:
  ///   - counts: the reading.
  ///   - before: what the one before said; nil for the first one.
  /// - Returns: near at the near level and above, and far from ``hysteresis`` below it on.
  func proximity(at counts: Double, after before: Proximity?) -> Proximity {
    let least = before == .near ? self.counts * (1 - Self.hysteresis) : self.counts
    return counts >= least ? .near : .far
  }
}
