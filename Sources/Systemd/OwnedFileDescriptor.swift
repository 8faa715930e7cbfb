// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A file descriptor that is closed with this value.
public struct OwnedFileDescriptor: ~Copyable {
  /// The descriptor.
  package let number: CInt

  /// Takes a descriptor over.
  package init(adopting number: CInt) { self.number = number }

  deinit { close(number) }
}
