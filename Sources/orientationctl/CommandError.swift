// SPDX-License-Identifier: Apache-2.0

/// Why a command failed, for the person who gave it: what is wrong, and what to do.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
