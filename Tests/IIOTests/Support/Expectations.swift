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
/// Of an expectation that fails in an exit test, only the comment reaches the test's output. An exit test takes no arguments before
/// Swift 6.3: with several cases it has a loop, and `name` says which case this is.
func expectEqual<Value: Equatable>(
  _ value: Value, _ expected: Value, _ name: String = "", line: Int = #line
) {
  #expect(value == expected, "line \(line): \(name.isEmpty ? "" : "\(name): ")\(value) is not \(expected)")
}
