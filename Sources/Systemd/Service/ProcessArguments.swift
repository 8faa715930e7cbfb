// SPDX-License-Identifier: Apache-2.0

// Embedded Swift has no CommandLine. This reads the arguments from the file that Swift's own reads on Linux.

import CLinux

/// The arguments of the command line, without the program's name; nil if /proc is not mounted.
package func commandLineWords() -> [String]? {
  guard let file = fopen("/proc/self/cmdline", "re") else { return nil }
  defer { fclose(file) }
  var word: UnsafeMutablePointer<CChar>?
  defer { free(word) }
  var capacity = 0
  var words: [String] = []
  while getdelim(&word, &capacity, 0, file) >= 0, let word { words.append(String(cString: word)) }
  return Array(words.dropFirst())
}
