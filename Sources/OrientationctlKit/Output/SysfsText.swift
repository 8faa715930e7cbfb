// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The last part of the target of a link in sysfs, such as the name of a driver; nil if there is none.
func linkedName(_ path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  guard count > 0 else { return nil }
  let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  return target.split(separator: "/").last.map(String.init)
}

/// An attribute in sysfs without white space at its end; nil if there is none.
func attribute(_ path: String) -> String? {
  guard var text = try? readFile(path) else { return nil }
  while text.last?.isWhitespace == true { text.removeLast() }
  return text
}
