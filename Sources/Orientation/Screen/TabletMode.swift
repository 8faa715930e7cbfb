// SPDX-License-Identifier: Apache-2.0

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
