// SPDX-License-Identifier: Apache-2.0

/// Which mount matrix is used of a sensor for which both have one: the values of `MountMatrixSource=`.
public enum MountMatrixSource: String, CaseIterable, Sendable {
  /// udev's hardware database, in which a wrong one of the firmware is corrected.
  case udev
  /// The driver, which has it from the firmware.
  case driver
}
