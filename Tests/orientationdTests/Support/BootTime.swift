// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The time on the boot clock, in nanoseconds.
var bootTime: Int64 {
  var time = timespec()
  clock_gettime(CLOCK_BOOTTIME, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
