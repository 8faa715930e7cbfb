// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup

@testable import OrientationctlKit

/// A first line with the modalias of the sensor's parent and, after a space, the machine's; after it, an hwdb file.
///
/// A matrix that is set stands in the file once, in its last record, and setting it again changes nothing. Nothing of
/// other matches is lost.
func checkHwdb(_ input: [UInt8]) throws(Violation) {
  let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
  let names = parts[0].split(separator: UInt8(ascii: " "), maxSplits: 1).map {
    String(decoding: $0, as: UTF8.self)
  }
  // readFile accepts UTF-8 only.
  guard let original = String(validating: parts.count > 1 ? parts[1] : [], as: UTF8.self) else { return }
  let match = HwdbMatch(label: nil, modalias: names.first ?? "", machine: names.count > 1 ? names[1] : "")
  try expect(
    match.pattern.unicodeScalars.allSatisfy { $0.isASCII && $0 != "\n" }, "the pattern '\(match.pattern)'")
  let matrix = MountMatrix.identity.description
  // A sensor may be called anything, such as by what else is in the input.
  let sensor = String(decoding: input.prefix(64), as: UTF8.self)
  var text = HwdbText(original)
  text.set(matrix: matrix, of: sensor, match: match)
  let record = HwdbText.record(matrix: matrix, of: sensor, match: match).map { "\($0)\n" }.joined()
  try expect(
    record.utf8.count { [0, 0x0a, 0x0d].contains($0) } == 3, "the record '\(record)' has other lines")
  try expect(text.description.hasSuffix(record), "the record is not the last")
  var again = HwdbText(text.description)
  again.set(matrix: matrix, of: sensor, match: match)
  try expect(again.description == text.description, "set twice, the file changes")
  try checkOthers(original, text.description, but: match.pattern)
}

/// Every line of a record of other matches is still there.
private func checkOthers(_ before: String, _ after: String, but pattern: String) throws(Violation) {
  let kept = Set(after.split(separator: "\n"))
  let lines = before.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
  for record in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) })
  where !record.contains(where: { $0 == pattern }) {
    for line in record { try expect(kept.contains(line), "the line '\(line)' is lost") }
  }
}
