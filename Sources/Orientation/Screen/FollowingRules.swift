// SPDX-License-Identifier: Apache-2.0

// What prevents the interface from following the device: the rotation lock, and the mode of the device.

/// Whether the orientation is locked.
public enum RotationLock: Sendable, BitwiseCopyable {
  /// The orientation follows the device.
  case unlocked
  /// The orientation stays the same, whatever the device does.
  case locked

  /// The opposite, for a key that toggles the lock.
  public var toggled: RotationLock { self == .locked ? .unlocked : .locked }
}

/// Whether a convertible device is now a laptop or a tablet.
///
/// The raw values are those of the property `TabletMode` of `org.orientationd1.Device`.
public enum TabletMode: String, CaseIterable, Sendable, BitwiseCopyable {
  /// The device does not report its mode, or cannot know it now.
  case unknown
  /// The keyboard is in front of the screen.
  case laptop
  /// The device is folded over, or detached from its keyboard.
  case tablet
}

/// What the mode of a convertible device is derived from.
///
/// The raw values are those of the property `TabletModeSource` of `org.orientationd1.Device`.
package enum TabletModeSource: String, CaseIterable, Sendable {
  /// Nothing: the device is a plain tablet or laptop, or does not report its mode.
  case none
  /// Its switch (SW_TABLET_MODE).
  case `switch`
  /// The sensor that measures the angle of its hinge.
  case hinge
  /// The angle between its accelerometers, in the display and in the base.
  case accelerometers
}

/// The mode of a convertible device, and what it is derived from.
package struct TabletModeFinding: Equatable, Sendable {
  /// The mode.
  package var mode = TabletMode.unknown
  /// What it is derived from.
  package var source = TabletModeSource.none

  /// Nothing is known of a mode.
  package init() {}

  /// A mode from a source.
  package init(_ mode: TabletMode, from source: TabletModeSource) {
    (self.mode, self.source) = (mode, source)
  }
}

/// When the interface follows the device's orientation: the value of `FollowIn=`.
package enum FollowIn: String, CaseIterable, Sendable {
  /// In every mode.
  case always
  /// Not in laptop mode: then the interface returns to the orientation in which the laptop stands, and keeps it.
  case tablet

  /// Whether the interface follows in this mode; if the mode is unknown, it does.
  package func follows(in mode: TabletMode) -> Bool {
    switch self {
    case .always: true
    case .tablet: mode != .laptop
    }
  }
}
