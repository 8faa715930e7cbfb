// SPDX-License-Identifier: Apache-2.0

import Orientation

@testable import IIO
@testable import OrientationService

/// Only the text of a state is a state; and the state that a few bytes choose is read as it was written.
///
/// The same holds of the mark of what is set of a sensor.
func checkState(_ input: [UInt8]) throws(Violation) {
  let text = String(decoding: input, as: UTF8.self)
  if let mark = SettingsMark(parsing: text) {
    try expect(mark.text == text, "another text than the mark's own is accepted")
    let paths = mark.settings.map { $0.attribute.split(separator: "/", omittingEmptySubsequences: false) }
    try expect(
      paths.allSatisfy { !$0.contains("..") && !$0.contains("") },
      "a mark leads out of the device's directory")
  }
  if let state = try? SavedState(parsing: input) {
    try expect(Array(state.text.utf8) == input, "another text than the state's own is accepted")
    try expect(state.interfaceOrientation != .unknown, "an unknown orientation")
    try expect(
      !state.supported.isEmpty && state.supported.isSubset(of: .all), "the mask \(state.supported.rawValue)")
  }
  guard input.count >= 3 else { return }
  var chosen = SavedState(
    isRotationLocked: input[0] & 1 == 1,
    interfaceOrientation: InterfaceOrientation(rawValue: UInt32(input[1])),
    supported: InterfaceOrientationMask(rawValue: UInt32(input[2])))
  chosen.responsiveness = Responsiveness.allCases.dropFirst(Int(input[0] >> 1) % 4).first
  // With a few digits of the input, which leave it a rotation.
  let number = 1 + Double(input[2]) / 4096
  if let matrix = try? MountMatrix(x: .init(number, 0, 0), y: .init(0, 1, 0), z: .init(0, 0, -1)) {
    for model in 0..<input[1] % 20 { chosen.setMountMatrix(matrix, of: "m\(model)") }
  }
  let whole = Array(chosen.text.utf8)
  try expect((try? SavedState(parsing: whole)) == chosen, "\(chosen) is not what is written")
  // Cut off or with a byte changed it is none.
  let place = input.reduce(0) { ($0 * 31 + Int($1)) % whole.count }
  try expect(
    (try? SavedState(parsing: Array(whole[..<place]))) == nil, "cut off after \(place) bytes it is accepted")
  var damaged = whole
  damaged[place] ^= 1 << (input[0] % 8)
  if let other = try? SavedState(parsing: damaged) {
    try expect(Array(other.text.utf8) == damaged, "damaged at \(place) it is accepted")
  }
}
