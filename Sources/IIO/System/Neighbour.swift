// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What is known about iio-sensor-proxy, the program with which the daemon shares a tablet's sensors.
///
/// Older versions leave a buffer enabled when they end, and other programs cannot distinguish it from one in use.
public final class Neighbour: Sendable {
  private let mayBeThere = Atomic<Bool>(true)

  /// Creates one that may be running, until ``become(isThere:)`` is called.
  public init() {}

  /// Whether it runs; also true while that is not known.
  public var isThere: Bool { mayBeThere.load(ordering: .relaxed) }

  /// Stores whether it runs.
  public func become(isThere: Bool) {
    mayBeThere.store(isThere, ordering: .relaxed)
  }
}
