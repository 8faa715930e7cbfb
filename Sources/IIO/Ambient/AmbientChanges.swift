// SPDX-License-Identifier: Apache-2.0

/// Selects those values of a sensor that clients are notified of.
package struct AmbientChanges: BitwiseCopyable {
  private let measure: AmbientMeasure
  /// The last reading that was reported; nil before the first one.
  ///
  /// Each value is compared with this one, and not with the value before it, so a slow drift is reported too.
  private var reported: AmbientReading?
  /// The last reading of an earlier session, with which the hysteresis goes on.
  private let earlier: AmbientReading?

  /// Starts without a reported value, after the last reading of an earlier session, if there was one.
  package init(of measure: AmbientMeasure, after earlier: AmbientReading? = nil) {
    self.measure = measure
    self.earlier = earlier
  }

  /// Processes a value, in the unit of the measure; returns the reading if it is to be reported.
  package mutating func take(_ value: Double) -> AmbientReading? {
    guard let reading = measure.reading(of: value, after: reported ?? earlier) else { return nil }
    if let reported, !reading.differs(from: reported) { return nil }
    reported = reading
    return reading
  }
}

extension AmbientReading {
  fileprivate func differs(from other: AmbientReading) -> Bool {
    switch (self, other) {
    case (.light(let level), .light(let before)): level.differs(from: before)
    case (.proximity(let proximity), .proximity(let before)): proximity != before
    case (.compass(let heading), .compass(let before)): heading.differs(from: before)
    case (.hinge(let position), .hinge(let before)): position != before
    case (.light, _), (.proximity, _), (.compass, _), (.hinge, _): true
    }
  }
}
