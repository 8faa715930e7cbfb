// SPDX-License-Identifier: Apache-2.0

/// Whether the orientation holds, whatever the tablet does.
public enum RotationLock: Sendable, BitwiseCopyable {
  /// The orientation follows the device.
  case unlocked
  /// The orientation holds.
  case locked

  /// The other position, as a key that toggles the lock wants it.
  public var toggled: RotationLock { self == .locked ? .unlocked : .locked }
}
