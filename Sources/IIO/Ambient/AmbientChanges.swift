// SPDX-License-Identifier: Apache-2.0

/// Picks out of a sensor's values those that say something new.
package struct AmbientChanges: BitwiseCopyable {
  private let measure: AmbientMeasure
  /// What was told last; nil before anything was.
  ///
  /// Each value is held against this and not against the one before it, so that a slow drift is told too.
  private var told: AmbientReading?

  /// Starts with nothing told.
  package init(of measure: AmbientMeasure) {
    self.measure = measure
  }

  /// Takes in a value, in the unit of the measure; returns the reading where it is worth telling.
  package mutating func take(_ value: Double) -> AmbientReading? {
    guard let reading = measure.reading(of: value, after: told) else { return nil }
    if let told, !reading.differs(from: told) { return nil }
    told = reading
    return reading
  }
}

extension AmbientReading {
  fileprivate func differs(from other: AmbientReading) -> Bool {
    switch (self, other) {
    case (.light(let level), .light(let before)): level.differs(from: before)
    case (.proximity(let proximity), .proximity(let before)): proximity != before
    case (.compass(let heading), .compass(let before)): heading.differs(from: before)
    case (.light, _), (.proximity, _), (.compass, _): true
    }
  }
}
