// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Resolves the symbolic links of a path.
///
/// - Parameter path: such as `/sys/bus/iio/devices/iio:device0`, which is a link into /sys/devices.
/// - Returns: the path without links; nil if it does not exist.
public func canonicalPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The directory of a path, without a slash at its end.
func parentDirectory(of path: String) -> Substring {
  Substring(path.utf8.prefix(upTo: path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex))
}
