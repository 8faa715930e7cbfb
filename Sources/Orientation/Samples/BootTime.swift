// SPDX-License-Identifier: Apache-2.0

/// An instant on CLOCK_BOOTTIME: time since the machine booted, suspended time included.
public struct BootTime: Equatable, Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds since boot.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds since boot.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Microseconds since boot, the unit that D-Bus interfaces use for time.
  @inlinable
  public var microseconds: UInt64 { UInt64(max(nanoseconds, 0)) / 1000 }

  /// The seconds from `earlier` to this instant; negative if time went back.
  @inlinable
  public func seconds(since earlier: BootTime) -> Double {
    Double(nanoseconds &- earlier.nanoseconds) * 1e-9
  }

  /// The instant `seconds` after this one.
  @inlinable
  public func advanced(bySeconds seconds: Double) -> BootTime {
    BootTime(nanoseconds: nanoseconds &+ Int64(seconds * 1e9))
  }

  /// Orders instants in time.
  @inlinable
  public static func < (earlier: BootTime, later: BootTime) -> Bool {
    earlier.nanoseconds < later.nanoseconds
  }
}
