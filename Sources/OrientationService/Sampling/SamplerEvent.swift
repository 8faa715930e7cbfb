// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// The time of sampling from the first subscriber to the last; an event of an earlier session is outdated.
package typealias SamplingSession = Int

/// What the sampler reports to the main thread, in order.
enum SamplerEvent: Sendable {
  /// The devices were scanned.
  ///
  /// It is stored on the heap: it is large and rare, and a queue with its size would take 50 kB.
  indirect case found(SensorScan)
  /// The sensor delivers, at this rate in hertz.
  case delivering(SamplingSession, sampleRate: Double)
  /// The orientation changed.
  case changed(SamplingSession, OrientationChange)
  /// The screen leans otherwise than before; reported only while the ``TiltWatch`` is on.
  case leans(SamplingSession, ScreenTilt)
  /// The buffer cannot be used; the sensor is polled from now on.
  case buffered(SamplingSession, givesWayToPollingBecause: SourceError)
  /// The buffer that was replaced by polling works; samples come from it from now on.
  case bufferWorks(SamplingSession)
  /// The sensor has delivered and cannot be read; it is retried for ``ReadRetry/limit``, and the orientation holds meanwhile.
  case unreadable(SamplingSession, SourceError)
  /// The chip does not report motion by the events that its driver offers; at rest it is read as without events.
  case motionEventsLost(SamplingSession)
  /// Gravity has another length in the sensor's readings: this many times standard gravity. Its driver's scale is wrong.
  case gravityLength(SamplingSession, Double)
  /// The end of sampling was requested, and no sensor is open any more.
  case released
  /// The sensor cannot be opened or read. The daemon retries later, while there are subscribers.
  case failed(SamplingSession, SourceError)
}

extension SamplerEvent {
  /// How old a change may be if clients are to be notified of it although there is a newer one, in seconds.
  private static let longestDelay = 1.0

  /// Whether it is a change that was decided long before `now`.
  func isPast(at now: BootTime) -> Bool {
    guard case .changed(_, let change) = self else { return false }
    return now.seconds(since: change.time) > Self.longestDelay
  }
}
