// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is known of iio-sensor-proxy, the program that tablets share their sensors with.
///
/// Older ones leave a buffer on when they end, and nobody else can tell it from one in use.
public final class Neighbour: Sendable {
  private let mayBeThere = Atomic<Bool>(true)

  /// Creates one that may be there, until something else is known.
  public init() {}

  /// Whether it runs, or is not known not to.
  public var isThere: Bool { mayBeThere.load(ordering: .relaxed) }

  /// Takes in whether it runs.
  public func become(isThere: Bool) {
    mayBeThere.store(isThere, ordering: .relaxed)
  }
}
