// SPDX-License-Identifier: Apache-2.0

/// How often the sensor of a tablet at rest is read, if it does not report changes itself.
public enum RestPace: Sendable, BitwiseCopyable {
  /// The less often, the longer the tablet has lain still: one that lies on a table for minutes may answer later.
  case slowing
  /// As often from the beginning to the end.
  case prompt

  /// From when on the tablet is read half as often, in seconds.
  private static let shortRest = 30.0
  /// From when on it is read once a second, in seconds.
  private static let longRest = 300.0

  /// How long to wait for the next read, in seconds.
  ///
  /// - Parameter seconds: how long the rest has lasted.
  /// - Returns: ``RestDetector/restPeriod`` in the first half minute, twice that until the fifth minute, and then a second.
  public func pause(afterResting seconds: Double) -> Double {
    switch self {
    case .prompt: RestDetector.restPeriod
    case .slowing where seconds < Self.shortRest: RestDetector.restPeriod
    case .slowing where seconds < Self.longRest: 2 * RestDetector.restPeriod
    case .slowing: 1
    }
  }
}
