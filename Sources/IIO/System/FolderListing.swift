// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The names of what lies in a folder, "." and ".." included, in no order; none where it cannot be read.
package func namesOfFiles(in folder: String) -> [String] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names
}
