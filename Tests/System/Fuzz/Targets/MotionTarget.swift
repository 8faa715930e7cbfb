// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A request or record of the motion socket that is accepted is written as it was read, and a request is within its limits.
func checkMotion(_ input: [UInt8]) throws(Violation) {
  if let request = input.withUnsafeBytes({ MotionRequest($0) }) {
    try expect(
      written(MotionRequest.byteCount) { request.write(to: $0) } == input,
      "\(request) is written in another way")
    if case .start(_, let interval) = request {
      try expect(MotionInterval.limits.contains(interval.microseconds), "\(interval) is accepted")
    }
  }
  if let record = input.withUnsafeBytes({ MotionRecord($0) }) {
    let bytes = written(MotionRecord.byteCount) { record.write(to: $0) }
    let again = bytes.withUnsafeBytes { MotionRecord($0) }
    // A sample that is not a number is not equal to itself, but its bytes are.
    try expect(
      again.map { again in written(MotionRecord.byteCount) { again.write(to: $0) } } == bytes,
      "\(record) is not what it is written as")
  }
}

private func written(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> [UInt8] {
  var bytes = [UInt8](repeating: 0xff, count: count)
  bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { write(start) } }
  return bytes
}
