// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a folder cannot be read.
package struct FolderError: Error {
  /// The errno.
  package let code: CInt
}

/// The names of what lies in a folder, "." and ".." included, in no order; none if it cannot be read.
package func namesOfFiles(in folder: String) -> [String] {
  (try? listFolder(folder)) ?? []
}

/// The names of what lies in a folder, "." and ".." included, in no order.
///
/// - Parameter folder: its path.
/// - Returns: the names.
/// - Throws: ``FolderError``, with ENOENT if there is no such folder.
package func listFolder(_ folder: String) throws(FolderError) -> [String] {
  guard let directory = opendir(folder) else { throw FolderError(code: errno) }
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
