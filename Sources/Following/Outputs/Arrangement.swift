// SPDX-License-Identifier: Apache-2.0

// Desktops leave the other outputs where they are when one is turned: sway even pins those that it has placed itself. So an output
// at the right of a panel that becomes wider would be overlapped, and one at the right of a panel that becomes narrower would be
// cut off from it.

package import Orientation

/// What an output is to be after the panel was turned; each output of the desktop has one.
package struct OutputChange: Equatable, Sendable {
  /// The connector.
  package let name: String
  /// Whether it shows a part of the desktop; always as before.
  package let isEnabled: Bool
  /// The new transform; nil leaves it.
  package let transform: OutputTransform?
  /// The new position; nil leaves it.
  package let position: DesktopPosition?
}

// Of a laptop with two panels, the second one is below the first one, as its base is below its display. So turned clockwise, the second
// one is at the left: on the desktop it must be there, too, for pointer and windows to go from one to the other where they meet.

/// The change of all outputs that turns the panel.
package struct Arrangement: Equatable, Sendable {
  /// One for each output, in the order of the outputs.
  package let changes: [OutputChange]

  /// Turns the panel, and moves those at the right of it and below it by what it grows or shrinks.
  ///
  /// Two panels are placed as they are in the laptop; the upper left corner of both together stays.
  ///
  /// Modes and scales stay, and so does which outputs are enabled.
  ///
  /// - Parameters:
  ///   - panels: the names of the panels, the upper one first; they are enabled.
  ///   - transform: how to turn it.
  ///   - outputs: what the desktop reports.
  ///   - before: what it reported while the panel had this transform, if something else has turned it since. Outputs that were not
  ///     moved since then are where they have to be.
  init(
    turning panels: [String], to transform: OutputTransform, among outputs: [Output], before: [Output]? = nil
  ) {
    let isInPlace =
      before.map { Self.others($0, than: panels) == Self.others(outputs, than: panels) } ?? false
    let positions = Self.positions(turning: panels, to: transform, among: outputs.filter(\.isEnabled))
    changes = outputs.map { output in
      let isPanel = panels.contains(output.name)
      let position = isInPlace && !isPanel ? nil : positions[output.name]
      return OutputChange(
        name: output.name, isEnabled: output.isEnabled,
        transform: isPanel ? transform : nil, position: position == output.position ? nil : position)
    }
  }

  private static func others(_ outputs: [Output], than panels: [String]) -> [Output] {
    outputs.filter { !panels.contains($0.name) }.sorted { $0.name < $1.name }
  }

  private static func positions(
    turning panels: [String], to transform: OutputTransform, among outputs: [Output]
  ) -> [String: DesktopPosition] {
    // A desktop has few outputs.
    var areas: [String: Area] = [:]
    for output in outputs { areas[output.name] = Area(output) }
    let panels = panels.compactMap { name in outputs.first { $0.name == name } }
    guard let before = Area(around: panels.map { areas[$0.name] }),
      let turned = Area.places(of: panels, turned: transform, from: before),
      let after = Area(around: turned.values.map { $0 })
    else { return [:] }
    let others = areas.filter { turned[$0.key] == nil }
    areas.merge(turned) { $1 }
    let right = before.neighbours(among: others) { $1.isRight(of: $0) }
    let below = before.neighbours(among: others) { $1.isBelow($0) }
    move(right, in: &areas) { $0.x &+= after.width &- before.width }
    move(below, in: &areas) { $0.y &+= after.height &- before.height }
    return areas.mapValues { DesktopPosition(x: $0.x, y: $0.y) }
  }

  /// Moves some outputs, unless one that comes closer would cover another one.
  ///
  /// A gap is left then, as when an output is both below the panel and below a taller one beside it.
  private static func move(_ names: Set<String>, in areas: inout [String: Area], _ move: (inout Area) -> Void)
  {
    var moved = areas
    for name in names { if var area = areas[name] { move(&area); moved[name] = area } }
    if Area.overlaps(in: moved) <= Area.overlaps(in: areas) { areas = moved }
  }
}

/// The part of the desktop that an output shows.
private struct Area {
  var x: Int32
  var y: Int32
  let width: Int32
  let height: Int32

  init(x: Int32, y: Int32, width: Int32, height: Int32) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Nil if the mode is not known.
  init?(_ output: Output) {
    guard let size = output.size(turned: output.transform) else { return nil }
    self.init(x: output.position.x, y: output.position.y, width: size.width, height: size.height)
  }

  /// The smallest that has all of those that are known; nil if none is.
  init?(around areas: [Area?]) {
    let areas = areas.compactMap(\.self)
    guard let x = areas.map(\.x).min(), let y = areas.map(\.y).min(), let right = areas.map(\.right).max(),
      let bottom = areas.map(\.bottom).max()
    else { return nil }
    self.init(x: x, y: y, width: Int32(clamping: right - Int(x)), height: Int32(clamping: bottom - Int(y)))
  }

  /// Where panels are that meet in the laptop, the upper one first, from the upper left corner of all on; nil if a mode is not known.
  static func places(of panels: [Output], turned transform: OutputTransform, from corner: Area) -> [String:
    Area]?
  {
    var (x, y) = (corner.x, corner.y)
    var places: [String: Area] = [:]
    // Clockwise, as the transforms count: the lower one is below, at the left, above, at the right.
    for panel in transform == .quarter || transform == .half ? panels.reversed() : panels {
      guard let size = panel.size(turned: transform) else { return nil }
      places[panel.name] = Area(x: x, y: y, width: size.width, height: size.height)
      if transform == .normal || transform == .half { y &+= size.height } else { x &+= size.width }
    }
    return places
  }

  private var right: Int { Int(x) + Int(width) }
  private var bottom: Int { Int(y) + Int(height) }

  private func sharesRows(with other: Area) -> Bool { Int(y) < other.bottom && Int(other.y) < bottom }
  private func sharesColumns(with other: Area) -> Bool { Int(x) < other.right && Int(other.x) < right }

  func isRight(of other: Area) -> Bool { Int(x) >= other.right && sharesRows(with: other) }
  func isBelow(_ other: Area) -> Bool { Int(y) >= other.bottom && sharesColumns(with: other) }

  /// The areas beside this one, those beside these, and so on.
  func neighbours(among areas: [String: Area], where isBeside: (Area, Area) -> Bool) -> Set<String> {
    var found: Set<String> = []
    var edge = [self]
    while let area = edge.popLast() {
      for (name, candidate) in areas where !found.contains(name) && isBeside(area, candidate) {
        found.insert(name)
        edge.append(candidate)
      }
    }
    return found
  }

  /// How many pairs of areas overlap.
  static func overlaps(in areas: [String: Area]) -> Int {
    let all = Array(areas.values)
    return all.indices.reduce(0) { count, index in
      count
        + all[..<index].count { $0.sharesRows(with: all[index]) && $0.sharesColumns(with: all[index]) }
    }
  }
}
