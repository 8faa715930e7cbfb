// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Whether udev may be about to give the permission for a sensor: what it knows of a device can be of the one before, and the
/// commands of its rules run after it has said that the device is set up.
struct PermissionRetry {
  /// How long a sensor that is not permitted is waited for while udev is busy, in seconds.
  static let limit = 10.0
  /// How often it is tried meanwhile, in seconds.
  static let pause = 0.25

  /// Until when the permission may still come; nil before it was denied.
  private var deadline: BootTime?
  /// Whether udev was busy at the last denial; before the first one it may not have begun.
  private var wasUdevBusy = true

  /// Takes in that the permission was denied; returns whether to try again after a pause.
  ///
  /// Once more, too, after udev has been seen idle: it may have given the permission between the attempt and the look.
  mutating func shouldRetry(isUdevBusy: Bool, at now: BootTime) -> Bool {
    let deadline = self.deadline ?? now.advanced(bySeconds: Self.limit)
    self.deadline = deadline
    let mayHaveCome = wasUdevBusy || isUdevBusy
    wasUdevBusy = isUdevBusy
    return mayHaveCome && now < deadline
  }
}
