// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The executables of this build.
package enum BuiltPrograms {
  /// The folder that they are in: the tests' own program is beside them.
  package static let folder =
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
}
