// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Whether udev may soon give the permission for a sensor: its data of a device can be that of an earlier one, and the
/// commands of its rules run after it has marked the device as set up.
struct PermissionRetry {
  /// How long the daemon waits for the permission while udev is busy, in seconds.
  static let limit = 10.0
  /// How often it retries meanwhile, in seconds.
  static let pause = 0.25

  /// Until when the permission may come; nil before it was denied.
  private var deadline: BootTime?
  /// Whether udev was busy at the last denial; before the first one it may not have begun.
  private var wasUdevBusy = true

  /// Called when the permission was denied; returns whether to try again after a pause.
  ///
  /// After udev was found idle, there is one more attempt: it may have given the permission between the attempt and the
  /// check.
  mutating func shouldRetry(isUdevBusy: Bool, at now: BootTime) -> Bool {
    let deadline = self.deadline ?? now.advanced(bySeconds: Self.limit)
    self.deadline = deadline
    let mayHaveCome = wasUdevBusy || isUdevBusy
    wasUdevBusy = isUdevBusy
    return mayHaveCome && now < deadline
  }
}
