// SPDX-License-Identifier: Apache-2.0

import Orientation

/// An orientation of the device that the daemon has announced.
struct DeviceChange: Equatable {
  let orientation: DeviceOrientation
  /// When the announcement arrived.
  let time: BootTime
  /// When the sample was taken that decided the change; nil for the present state, and if no sample decided it.
  ///
  /// If the rotation lock has delayed the announcement, it was long before.
  let sampleTime: BootTime?
}
