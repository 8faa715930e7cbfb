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
    let places = Self.places(turning: panels, to: transform, among: outputs)
    changes = zip(outputs, places).map { output, place in
      let isPanel = panels.contains(output.name)
      let position = isInPlace && !isPanel ? nil : place
      return OutputChange(
        name: output.name, isEnabled: output.isEnabled,
        transform: isPanel ? transform : nil, position: position == output.position ? nil : position)
    }
  }

  private static func others(_ outputs: [Output], than panels: [String]) -> [Output] {
    outputs.filter { !panels.contains($0.name) }.sorted { $0.name < $1.name }
  }

  /// Where each of the outputs is to be; nil for one that is off, or whose mode is not known.
  private static func places(
    turning panels: [String], to transform: OutputTransform, among outputs: [Output]
  ) -> [DesktopPosition?] {
    var areas = outputs.map { $0.isEnabled ? Area($0) : nil }
    let panels = panels.compactMap { name in outputs.firstIndex { $0.name == name && $0.isEnabled } }
    guard let before = Area(around: panels.map { areas[$0] }),
      let turned = Area.places(of: panels.map { outputs[$0] }, turned: transform, from: before),
      let after = Area(around: turned.map { $0 })
    else { return outputs.map { _ in nil } }
    var others = areas
    for (panel, place) in zip(panels, turned) { (others[panel], areas[panel]) = (nil, place) }
    let right = before.neighbours(among: others) { $1.isRight(of: $0) }
    let below = before.neighbours(among: others) { $1.isBelow($0) }
    move(right, in: &areas) { $0.x &+= after.width &- before.width }
    move(below, in: &areas) { $0.y &+= after.height &- before.height }
    return areas.map { $0.map { DesktopPosition(x: $0.x, y: $0.y) } }
  }

  /// Moves some outputs, unless one that comes closer would cover another one.
  ///
  /// A gap is left then, as when an output is both below the panel and below a taller one beside it.
  private static func move(_ indices: [Int], in areas: inout [Area?], _ move: (inout Area) -> Void) {
    var moved = areas
    for index in indices { if var area = areas[index] { move(&area); moved[index] = area } }
    if Area.overlaps(in: moved) <= Area.overlaps(in: areas) { areas = moved }
  }
}

/// The part of the desktop that an output shows.
private struct Area {
  var x: Int32
  var y: Int32
  let width: Int32
  let height: Int32
}

extension Area {
  /// Nil if the mode is not known.
  init?(_ output: Output) {
    guard let size = output.size(turned: output.transform) else { return nil }
    self.init(x: output.position.x, y: output.position.y, width: size.width, height: size.height)
  }

  /// The smallest that has all of those that are known; nil if none is.
  init?(around areas: [Area?]) {
    let areas = areas.compactMap { $0 }
    guard let x = areas.map({ $0.x }).min(), let y = areas.map({ $0.y }).min(),
      let right = areas.map({ $0.right }).max(),
      let bottom = areas.map({ $0.bottom }).max()
    else { return nil }
    self.init(x: x, y: y, width: Int32(clamping: right - Int(x)), height: Int32(clamping: bottom - Int(y)))
  }

  /// Where panels are that meet in the laptop, the upper one first, from the upper left corner of all on; nil if a mode is not known.
  static func places(of panels: [Output], turned transform: OutputTransform, from corner: Area) -> [Area]? {
    var (x, y) = (corner.x, corner.y)
    var places: [Area] = []
    // Clockwise, as the transforms count: the lower one is below, at the left, above, at the right.
    let isReversed = transform == .quarter || transform == .half
    for panel in isReversed ? panels.reversed() : panels {
      guard let size = panel.size(turned: transform) else { return nil }
      places.append(Area(x: x, y: y, width: size.width, height: size.height))
      if transform == .normal || transform == .half { y &+= size.height } else { x &+= size.width }
    }
    return isReversed ? places.reversed() : places
  }

  private var right: Int { Int(x) + Int(width) }
  private var bottom: Int { Int(y) + Int(height) }

  private func sharesRows(with other: Area) -> Bool { Int(y) < other.bottom && Int(other.y) < bottom }
  private func sharesColumns(with other: Area) -> Bool { Int(x) < other.right && Int(other.x) < right }

  /// How much smaller an output of this size may be: the protocol has scales in 256ths, so that 1.2 is a little less.
  private static func rounding(_ length: Int32) -> Int { Int(length) / 512 + 1 }

  func isRight(of other: Area) -> Bool {
    Int(x) + Self.rounding(other.width) >= other.right && sharesRows(with: other)
  }
  func isBelow(_ other: Area) -> Bool {
    Int(y) + Self.rounding(other.height) >= other.bottom && sharesColumns(with: other)
  }

  private func overlaps(_ other: Area) -> Bool {
    sharesRows(with: other) && sharesColumns(with: other)
      && !(isRight(of: other) || other.isRight(of: self) || isBelow(other) || other.isBelow(self))
  }

  /// Which areas are beside this one, beside these, and so on.
  func neighbours(among areas: [Area?], where isBeside: (Area, Area) -> Bool) -> [Int] {
    var (rest, edge, found) = (areas, [self], [Int]())
    while let area = edge.popLast() {
      for (index, candidate) in rest.enumerated() {
        guard let candidate, isBeside(area, candidate) else { continue }
        found.append(index)
        edge.append(candidate)
        rest[index] = nil
      }
    }
    return found
  }

  /// How many pairs of areas overlap.
  static func overlaps(in areas: [Area?]) -> Int {
    let all = areas.compactMap { $0 }
    return all.indices.reduce(0) { count, index in count + all[..<index].count { $0.overlaps(all[index]) } }
  }
}
