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
  indirect case found(SensorSurvey)
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

/// What a look through the devices found.
struct SensorSurvey: Equatable, Sendable {
  /// How the device is held when its panel stands upright, which the sensor's axes were turned by.
  var natural: NaturalOrientationFinding
  /// The sensor that would be used; nil if there is none.
  var sensor: MountedSensor?
  /// Why there is none; nil if there is one.
  var absence: SourceError?
  /// What the administrator has to know: a matrix that was refused.
  var warnings: [String] = []
  /// Why libiio refuses the machine; nil if it does not.
  var refusal: LibiioRefusal?

  /// Whether there is none because the other machine cannot be reached.
  var isUnreachable: Bool {
    if case .unreachable = absence { true } else { false }
  }

  /// What happens next if there is none, for people.
  var outlook: String {
    switch absence {
    case .unreachable: "it is tried again while somebody asks"
    case .ambiguousSensor: "none is used"
    default: "waiting for one to appear"
    }
  }
}
