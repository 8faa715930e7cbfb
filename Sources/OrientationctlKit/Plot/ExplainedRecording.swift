// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Orientation

/// What the daemon's pipeline makes of a recording, sample by sample, and why.
struct ExplainedRecording {
  /// A sample, and the state of the pipeline after it.
  struct Step {
    /// The time of the recording.
    let seconds: Double
    /// The reading, m/s^2.
    let reading: Acceleration<ScreenFrame>
    /// The filtered reading, m/s^2.
    let gravity: Acceleration<ScreenFrame>
    /// The reported orientation.
    let orientation: DeviceOrientation
    /// How many times longer than at rest a decision takes, at least 1.
    let doubt: Double
    /// The evidence against the reported orientation, as a fraction of the need.
    let evidence: Double

    /// The length of the reading, m/s^2.
    var length: Double { reading.vector.length }
  }

  /// A change that was reported, and the state before it.
  struct Change {
    let seconds: Double
    let from: DeviceOrientation
    let to: DeviceOrientation
    /// The angle of gravity past the border between both, in degrees; nil for the first report.
    let degreesPastBorder: Double?
    /// The evidence before the sample that decided, as a fraction of the need.
    let evidence: Double
    /// The doubt at that time, at least 1.
    let doubt: Double
  }

  /// All samples, in the order of their times.
  let steps: [Step]
  /// All changes.
  let changes: [Change]
  /// The width of the band along a border that gravity must have crossed, in degrees.
  let hysteresisDegrees: Double

  /// Runs a pipeline.
  ///
  /// - Parameters:
  ///   - entries: the samples; one whose time is not above that of the one before is left out, because a plot has one time line.
  ///   - settings: of the pipeline.
  init(_ entries: [Recording.Entry], settings: PipelineSettings) {
    var pipeline = OrientationPipeline(transform: .identity, settings: settings)
    var steps: [Step] = []
    var changes: [Change] = []
    var present = DeviceOrientation.unknown
    for entry in entries where entry.seconds > steps.last?.seconds ?? -.infinity {
      let sample = Sample(recorded: entry)
      let change = pipeline.process(sample)
      let gravity = pipeline.gravity
      if let change {
        changes.append(
          Change(
            seconds: entry.seconds, from: present, to: change.orientation,
            degreesPastBorder: gravity.degrees(past: present, towards: change.orientation),
            evidence: steps.last?.evidence ?? 0, doubt: pipeline.doubtFactor))
        present = change.orientation
      }
      steps.append(
        Step(
          seconds: entry.seconds, reading: entry.acceleration, gravity: gravity, orientation: present,
          doubt: pipeline.doubtFactor, evidence: pipeline.evidenceShare))
    }
    self.steps = steps
    self.changes = changes
    hysteresisDegrees = settings.hysteresis.degrees
  }
}

extension ExplainedRecording.Change {
  /// Why it was reported, in a line.
  ///
  /// - Parameter hysteresisDegrees: the width of the band along the border.
  /// - Returns: the line.
  func reason(hysteresisDegrees: Double) -> String {
    guard let degreesPastBorder else { return "first report" }
    let doubtText = "doubt \(decimal(doubt, places: 1))"
    guard degreesPastBorder > hysteresisDegrees else {
      return "by the mean of the last seconds, \(doubtText)"
    }
    let excess = decimal(degreesPastBorder - hysteresisDegrees, places: 0)
    return
      "\(excess)° past the band, evidence \(decimal(evidence, places: 2)) a sample earlier, \(doubtText)"
  }
}

extension Acceleration<ScreenFrame> {
  /// The angle past the border between two orientations, in degrees, as the classifier measures it; nil if the first is unknown.
  ///
  /// - Parameters:
  ///   - present: the orientation on this side.
  ///   - rival: that on the other side; nil for the one whose border is the nearest.
  /// - Returns: the angle.
  func degrees(past present: DeviceOrientation, towards rival: DeviceOrientation? = nil) -> Double? {
    // Any band: the angle is that past the middle.
    NearestBorder(of: present, towards: rival, gravity: self, hysteresis: Angle(degrees: 0))?
      .degreesPastMiddle
  }
}
