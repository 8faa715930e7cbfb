// SPDX-License-Identifier: Apache-2.0

// This folder: `classify --plot` draws a recording (RecordingPlot) and what the daemon's pipeline makes of it
// (ExplainedRecording), with SVG by hand (SVGPicture): there is nothing to install for it.

import Glibc
import Orientation

/// The picture of a recording: rows over one time line, and a list of the changes with their reasons.
struct RecordingPlot {
  /// How many changes are listed: more are not readable in a picture.
  private static let mostChangesListed = 60
  /// What is further from zero is cut off, so that gravity can be seen beside knocks, m/s^2.
  private static let largestReading = 25.0

  private let recording: ExplainedRecording
  private let time: TimeScale
  private(set) var picture: SVGPicture
  private var y = 30.0

  /// Draws a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - name: its name, for the title.
  init(_ recording: ExplainedRecording, name: String) {
    self.recording = recording
    let listed = min(recording.changes.count, Self.mostChangesListed)
    let first = recording.steps.first?.seconds ?? 0
    let last = recording.steps.last?.seconds ?? 0
    time = TimeScale(seconds: first...last, pixels: 90...1180)
    picture = SVGPicture(width: 1200, height: 640 + 16 * Double(listed + 2))
    let rate = last > first ? Double(recording.steps.count - 1) / (last - first) : 0
    picture.title(name, samples: recording.steps.count, seconds: last - first, rate: rate)
    drawReadings()
    drawGravity()
    drawAngle()
    drawEvidence()
    drawStates()
    time.drawTicks(at: y, in: &picture)
    y += 32
    listChanges()
  }

  // MARK: The rows

  private mutating func drawReadings() {
    let values = recording.steps.flatMap { [$0.reading.x, $0.reading.y, $0.reading.z, $0.length] }
    let row = row(height: 120, name: "read, m/s²", showing: range(of: values))
    row.draw(recording.steps.map { ($0.seconds, $0.length) }, "#999999", in: &picture)
    row.drawAxes([recording.steps.map { (second: $0.seconds, vector: $0.reading.vector) }], in: &picture)
    row.drawLegend(PlotRow.axes + [("length", "#999999")], in: &picture)
  }

  private mutating func drawGravity() {
    let values = recording.steps.flatMap { [$0.gravity.x, $0.gravity.y, $0.gravity.z] }
    let row = row(height: 120, name: "gravity, m/s²", showing: range(of: values))
    row.drawAxes([recording.steps.map { (second: $0.seconds, vector: $0.gravity.vector) }], in: &picture)
    row.drawLegend(PlotRow.axes, in: &picture)
  }

  private mutating func drawAngle() {
    let row = row(height: 90, name: "past border", showing: -50...90)
    let bandTop = row.y(recording.hysteresisDegrees)
    picture.rectangle(
      x: time.pixels.lowerBound, y: bandTop, width: time.pixels.upperBound - time.pixels.lowerBound,
      height: row.y(0) - bandTop, fill: "#ffdd88", opacity: 0.6)
    var angles: [(second: Double, value: Double)] = []
    for step in recording.steps {
      guard let angle = step.gravity.degrees(past: step.orientation) else { continue }
      angles.append((step.seconds, angle))
    }
    row.draw(angles, "black", in: &picture)
    row.drawLegend(
      [("degrees past the nearest border, and the band that gravity must have crossed", "#bb8800")],
      in: &picture)
  }

  private mutating func drawEvidence() {
    let most = recording.steps.map(\.doubt).max() ?? 1
    var row = row(height: 70, name: "evidence", showing: 0...1)
    row.draw(recording.steps.map { ($0.seconds, min($0.evidence, 1)) }, "#225522", in: &picture)
    row.drawLegend([("evidence for a change: decided at 1", "#225522")], in: &picture)
    row = self.row(
      height: 70, name: "doubt", showing: 0...log2(max(most, 2)),
      labels: ("1", decimal(max(most, 2), places: 0)))
    row.draw(recording.steps.map { ($0.seconds, log2($0.doubt)) }, "#cc6600", in: &picture)
    row.drawLegend(
      [("doubt: how many times longer a decision takes than at rest (logarithmic)", "#cc6600")], in: &picture)
  }

  private mutating func drawStates() {
    let row = row(height: 44, name: "reported", showing: 0...1)
    let ends = recording.changes.dropFirst().map(\.seconds) + [time.seconds.upperBound]
    for (number, (change, end)) in zip(recording.changes, ends).enumerated() {
      let (left, right) = (time.x(change.seconds), time.x(end))
      picture.rectangle(
        x: left, y: row.top, width: max(right - left, 0.5), height: row.height, fill: change.to.colour,
        opacity: 0.75)
      picture.line((left, 30), (left, row.top + row.height), stroke: "#bbbbbb")
      if number < Self.mostChangesListed, right - left > 14 {
        picture.text("\(number + 1)", x: left + 3, y: row.top + 11)
      }
      if right - left > 44 {
        drawTablet(change.to, x: left + 28, y: row.top + row.height / 2)
      }
      let name = change.to.name
      if right - left > 50 + 6.5 * Double(name.count) {
        picture.text(name, x: left + 46, y: row.top + row.height / 2 + 4)
      }
    }
  }

  /// A small tablet, held so: a bar marks the top edge of its screen, a dot the screen that is up, a cross the one that is down.
  private mutating func drawTablet(_ orientation: DeviceOrientation, x: Double, y: Double) {
    picture.turned(by: orientation.clockwiseDegrees, aboutX: x, y: y) { picture in
      picture.rectangle(x: x - 9, y: y - 13, width: 18, height: 26, fill: "#333333")
      picture.rectangle(x: x - 7, y: y - 9, width: 14, height: 19, fill: "white")
      switch orientation {
      case .faceUp: picture.rectangle(x: x - 2, y: y - 2, width: 4, height: 4, fill: "#333333")
      case .faceDown:
        picture.line((x - 7, y - 9), (x + 7, y + 10), stroke: "#333333")
        picture.line((x + 7, y - 9), (x - 7, y + 10), stroke: "#333333")
      default: picture.rectangle(x: x - 5, y: y - 8, width: 10, height: 3, fill: "#cc3311")
      }
    }
  }

  private mutating func listChanges() {
    for (number, change) in recording.changes.prefix(Self.mostChangesListed).enumerated() {
      picture.text("\(number + 1)", x: 90, y: y, anchor: .end)
      picture.text("\(decimal(change.seconds, places: 3)) s", x: 170, y: y, anchor: .end)
      picture.rectangle(x: 182, y: y - 9, width: 10, height: 10, fill: change.to.colour, opacity: 0.75)
      picture.text(change.to.name, x: 198, y: y)
      picture.text(change.reason(hysteresisDegrees: recording.hysteresisDegrees), x: 330, y: y)
      y += 16
    }
    let more = recording.changes.count - Self.mostChangesListed
    if more > 0 { picture.text("and \(more) more", x: 198, y: y) }
  }

  // MARK: Their frames

  private mutating func row(
    height: Double, name: String, showing values: ClosedRange<Double>,
    labels: (lowest: String, highest: String)? = nil
  ) -> PlotRow {
    let row = PlotRow(time: time, values: values, top: y, height: height)
    row.drawFrame(name: name, labels: labels, in: &picture)
    y += height + 12
    return row
  }

  private func range(of values: [Double]) -> ClosedRange<Double> {
    let finite = values.filter(\.isFinite)
    let lowest = max(finite.min() ?? 0, -Self.largestReading)
    let highest = min(finite.max() ?? 0, Self.largestReading)
    return min(lowest, -1)...max(highest, 1)
  }
}

extension DeviceOrientation {
  /// The colour of its band in a plot.
  fileprivate var colour: String {
    switch self {
    case .portrait: "#4477aa"
    case .portraitUpsideDown: "#66ccee"
    case .landscapeLeft: "#228833"
    case .landscapeRight: "#ccbb44"
    case .faceUp: "#ee6677"
    case .faceDown: "#aa3377"
    case .unknown: "#dddddd"
    }
  }

  /// How far the device is turned from portrait, as the person in front of its screen sees it: against its interface.
  fileprivate var clockwiseDegrees: Double {
    let turn = InterfaceOrientation(uprightOn: self).flatMap { QuarterTurn(from: $0, to: .portrait) }
    return Double(turn?.degrees ?? 0)
  }
}
