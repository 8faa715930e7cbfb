// SPDX-License-Identifier: Apache-2.0

import Following

/// A picture in SVG, drawn in pixels from its top left corner.
///
/// Text from outside is escaped. The colours are names or #rrggbb.
struct SVGPicture {
  /// How a line of text lies at its position.
  enum Anchor: String {
    case start, middle, end
  }

  private let width: Double
  private let height: Double
  private var elements = ""

  /// Creates a white picture.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// The file's content.
  var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(shortDecimal(width)) \(shortDecimal(height))" \
    font-family="sans-serif" font-size="11">
    <rect width="100%" height="100%" fill="white"/>
    \(elements)</svg>

    """
  }

  /// Writes the title of a plot of samples.
  mutating func title(_ name: String, samples: Int, seconds: Double, rate: Double) {
    text(
      "\(name): \(samples) samples in \(decimal(seconds, places: 1)) s, \(decimal(rate, places: 1)) Hz",
      x: 90, y: 18)
  }

  /// Draws a filled rectangle.
  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: String, opacity: Double = 1
  ) {
    add(
      "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" fill=\"\(fill)\""
        + (opacity < 1 ? " opacity=\"\(shortDecimal(opacity))\"" : "") + "/>")
  }

  /// Draws a line.
  mutating func line(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), stroke: String) {
    add(
      "<line x1=\"\(number(from.x))\" y1=\"\(number(from.y))\" x2=\"\(number(to.x))\" y2=\"\(number(to.y))\" "
        + "stroke=\"\(stroke)\"/>")
  }

  /// Draws a line through points; nothing if there are fewer than two.
  mutating func line(through points: [(x: Double, y: Double)], stroke: String) {
    guard points.count > 1 else { return }
    let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    add(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"1\" "
        + "stroke-linejoin=\"round\"/>")
  }

  /// Writes a line of text.
  mutating func text(_ text: String, x: Double, y: Double, anchor: Anchor = .start, fill: String = "black") {
    add(
      "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor.rawValue)\" fill=\"\(fill)\">\(text.printable.inMarkup)</text>"
    )
  }

  /// Draws what `draw` draws, turned clockwise about a point.
  mutating func turned(by degrees: Double, aboutX x: Double, y: Double, _ draw: (inout Self) -> Void) {
    add("<g transform=\"rotate(\(shortDecimal(degrees)) \(number(x)) \(number(y)))\">")
    draw(&self)
    add("</g>")
  }

  private mutating func add(_ element: String) { elements += element + "\n" }

  /// A tenth of a pixel is enough.
  private func number(_ value: Double) -> String {
    let text = decimal(value, places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
