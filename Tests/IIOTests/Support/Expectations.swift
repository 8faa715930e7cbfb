// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// The descriptors of this process whose path ends so.
func descriptors(ofPath suffix: String) -> [CInt] {
  (3..<256).filter { descriptor in
    guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
    defer { free(path) }
    return String(cString: path).hasSuffix(suffix)
  }
}

/// Expects two values to be equal, and says so where they are not.
///
/// Of an expectation that fails in an exit test, only the comment reaches the test's output.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
  #expect(value == expected, "line \(line): \(value) is not \(expected)")
}
