// SPDX-License-Identifier: Apache-2.0

// What keeps the interface from following the device: the rotation lock, and the mode that the device is in.

/// Whether the orientation holds, whatever the tablet does.
public enum RotationLock: Sendable, BitwiseCopyable {
  /// The orientation follows the device.
  case unlocked
  /// The orientation holds.
  case locked

  /// The other position, as a key that toggles the lock wants it.
  public var toggled: RotationLock { self == .locked ? .unlocked : .locked }
}

/// Whether a device that can be both is a laptop or a tablet now, as its switch (SW_TABLET_MODE) says.
///
/// The raw values are what the property `TabletMode` of `org.orientationd1.Screen` holds.
public enum TabletMode: String, CaseIterable, Sendable {
  /// No switch says: the device is a plain tablet, or a laptop, or does not tell.
  case unknown
  /// With its keyboard in front of it.
  case laptop
  /// Folded over, or taken off its keyboard.
  case tablet
}

/// When the interface follows the device's orientation: what `FollowIn=` chooses among.
public enum FollowIn: String, CaseIterable, Sendable {
  /// Whatever the switch for the tablet mode says.
  case always
  /// Not in laptop mode, in which the interface returns to the natural orientation and holds.
  case tablet

  /// Whether the interface follows in this mode; where no switch says, it does.
  public func follows(in mode: TabletMode) -> Bool {
    switch self {
    case .always: true
    case .tablet: mode != .laptop
    }
  }
}
