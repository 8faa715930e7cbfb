// SPDX-License-Identifier: Apache-2.0

// Embedded Swift has no CommandLine. This reads the words where Swift's own does on Linux.

import CLinux

/// The words after the program's name on the command line; nil without /proc, where they cannot be known.
func commandLineWords() -> [String]? {
  guard let file = fopen("/proc/self/cmdline", "re") else { return nil }
  defer { fclose(file) }
  var word: UnsafeMutablePointer<CChar>?
  defer { free(word) }
  var capacity = 0
  var words: [String] = []
  while getdelim(&word, &capacity, 0, file) >= 0, let word { words.append(String(cString: word)) }
  return Array(words.dropFirst())
}
