// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Orientation

/// A local date and time.
struct WallTime {
  /// A century in nanoseconds.
  private static let century: Int64 = 3_200_000_000_000_000_000

  private let fields: tm
  private let milliseconds: Int

  /// Creates the local time of an instant since boot, from the present values of both clocks.
  init(_ instant: BootTime) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // An instant from the bus can have any value: it is limited to a century from now, and to times after 1970.
    let age = min(max(BootTime.now.nanoseconds &- instant.nanoseconds, -Self.century), Self.century)
    let nanoseconds = max(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) - age, 0)
    var seconds = time_t(nanoseconds / 1_000_000_000)
    var fields = tm()
    tzset()
    localtime_r(&seconds, &fields)
    self.fields = fields
    milliseconds = Int(nanoseconds / 1_000_000 % 1000)
  }

  /// The time of day, for people: "14:03:22.118".
  var timeOfDay: String { formatted("%H:%M:%S") + fraction }

  /// Date, time and offset, for programs: "2026-11-21T14:03:22.118+01:00" (RFC 3339).
  var rfc3339: String { formatted("%Y-%m-%dT%H:%M:%S") + fraction + offset }

  private var fraction: Substring { decimal(Double(milliseconds) / 1000, places: 3).dropFirst() }

  /// The offset from UTC with a colon, which RFC 3339 requires and strftime does not write.
  private var offset: String {
    let digits = formatted("%z")
    return digits.count == 5 ? "\(digits.dropLast(2)):\(digits.suffix(2))" : digits
  }

  private func formatted(_ format: String) -> String {
    var fields = fields
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      guard let start = text.baseAddress, strftime(start, 64, format, &fields) > 0 else { return "" }
      return String(cString: start)
    }
  }
}
