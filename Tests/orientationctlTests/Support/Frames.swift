// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationctlKit
@testable import TabletPicture

/// Expects a frame of a picture to look like its file in `Picture/Frames`.
///
/// With `WRITE_FRAMES=1` in the environment, it writes the file before.
func expectFrame(
  _ state: PictureState, columns: Int = 80, rows: Int = 24, range: CharacterRange = .braille, is name: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let frame = state.frame(columns: columns, rows: rows, range: range).text
  let text = "SPDX-License-Identifier: Apache-2.0\n\(frame)"
  let file = projectFolder.appending(path: "Tests/orientationctlTests/Picture/Frames/\(name).txt")
  if ProcessInfo.processInfo.environment["WRITE_FRAMES"] != nil { try Data(text.utf8).write(to: file) }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text == expected, "\(name):\n\(text)", sourceLocation: sourceLocation)
}

extension CellGrid {
  /// The text without inks, a line for each row, without blanks at the ends of lines.
  var text: String {
    (0..<rows).map { row in
      var line = String.UnicodeScalarView()
      line.append(contentsOf: (0..<columns).map { self[row, $0].character })
      while line.last == " " { line.removeLast() }
      return String(line) + "\n"
    }.joined()
  }
}

extension Attitude {
  /// The direction of the top edge of the screen, of length one.
  var top: SIMD3<Double> { self(SIMD3(0, 1, 0)) }
}
