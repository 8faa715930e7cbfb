// SPDX-License-Identifier: Apache-2.0

import Orientation

@testable import OrientationService

/// Only the text of a state is a state; and the state that a few bytes choose is read as it was written.
func checkState(_ input: [UInt8]) throws(Violation) {
  if let state = try? SavedState(parsing: input) {
    try expect(Array(state.text.utf8) == input, "another text than the state's own is accepted")
    try expect(state.interfaceOrientation != .unknown, "an unknown orientation")
    try expect(
      !state.supported.isEmpty && state.supported.isSubset(of: .all), "the mask \(state.supported.rawValue)")
  }
  guard input.count >= 3 else { return }
  let chosen = SavedState(
    isRotationLocked: input[0] & 1 == 1,
    interfaceOrientation: InterfaceOrientation(rawValue: UInt32(input[1])),
    supported: InterfaceOrientationMask(rawValue: UInt32(input[2])))
  let text = Array(chosen.text.utf8)
  try expect((try? SavedState(parsing: text)) == chosen, "\(chosen) is not what is written")
  // Cut off or with a byte changed it is none.
  let place = input.reduce(0) { ($0 * 31 + Int($1)) % text.count }
  try expect(
    (try? SavedState(parsing: Array(text[..<place]))) == nil, "cut off after \(place) bytes it is accepted")
  var damaged = text
  damaged[place] ^= 1 << (input[0] % 8)
  if let other = try? SavedState(parsing: damaged) {
    try expect(Array(other.text.utf8) == damaged, "damaged at \(place) it is accepted")
  }
}
