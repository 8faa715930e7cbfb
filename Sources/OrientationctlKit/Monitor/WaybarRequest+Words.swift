// SPDX-License-Identifier: Apache-2.0

import Monitoring

extension WaybarRequest {
  /// The arguments that have this meaning.
  ///
  /// Embedded Swift, in which they are read, cannot write the seconds.
  var words: [String] {
    (isUserBus ? ["--user"] : []) + (limit.map { ["--count", "\($0)"] } ?? [])
      + (seconds.map { ["--seconds", "\($0)"] } ?? [])
  }
}
