// SPDX-License-Identifier: Apache-2.0

/// Converts seconds to the microseconds that libsystemd counts in.
///
/// - Parameter seconds: A span of time. Negative values and NaN count as 0; a value too large for UInt64 counts as "never".
/// - Returns: The span in microseconds; UInt64.max is libsystemd's "never".
func microseconds(_ seconds: Double) -> UInt64 {
  let exact = seconds * 1_000_000
  guard exact > 0 else { return 0 }
  return UInt64(exactly: exact.rounded()) ?? UInt64.max
}
