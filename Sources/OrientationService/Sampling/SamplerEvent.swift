// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// One stretch of sampling, from the first subscriber to the last; an event of an earlier one is out of date.
package typealias SamplingSession = Int

/// What the sampler reports to the main thread, in order.
enum SamplerEvent: Sendable {
  /// The devices were looked through.
  ///
  /// Kept on the heap: it is large and rare, and a queue of it would take 50 kB.
  indirect case found(SensorScan)
  /// The sensor delivers, at this rate in hertz.
  case delivering(SamplingSession, sampleRate: Double)
  /// The orientation changed.
  case changed(SamplingSession, OrientationChange)
  /// The gravity has entered another region of a ``GravityWatch``; reported only while the watch is on.
  case entered(SamplingSession, GravityRegion)
  /// The buffer cannot be used; the sensor is polled from here on.
  case buffered(SamplingSession, givesWayToPollingBecause: SourceError)
  /// The buffer that had given way to polling works; what is delivered from here on comes from it.
  case bufferWorks(SamplingSession)
  /// Sampling was to end, and no sensor is open any more.
  case released
  /// The sensor cannot be opened or read. It is tried again later, while there are subscribers.
  case failed(SamplingSession, SourceError)
}

extension SamplerEvent {
  /// How old a change may be that clients are notified of although there is a newer one, in seconds.
  private static let longestDelay = 1.0

  /// Whether it is a change that was decided long before `now`.
  func isPast(at now: BootTime) -> Bool {
    guard case .changed(_, let change) = self else { return false }
    return now.seconds(since: change.time) > Self.longestDelay
  }
}
