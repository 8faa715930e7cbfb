// SPDX-License-Identifier: Apache-2.0

public import Orientation
package import Systemd

/// The properties of `org.orientationd1.Screen`, as far as they have been told.
///
/// Before anything has been told, all is as it is where nobody has changed anything, and the interface's orientation
/// is unknown.
public struct ScreenSnapshot: Equatable {
  /// Whether the interface keeps its orientation: `RotationLocked`.
  public var lock = RotationLock.unlocked
  /// Which way the interface stands: `InterfaceOrientation`.
  public var orientation = InterfaceOrientation.unknown
  /// A word of `OutputTransform`; kept as a word, since it is only shown.
  public var transform = OutputTransform.normal.rawValue
  /// The orientations that the interface may have: `SupportedInterfaceOrientations`.
  public var supported = InterfaceOrientationMask.all
  /// A word of `TabletMode`; kept as a word, since a newer daemon may know more of them.
  public var tabletMode = TabletMode.unknown.rawValue

  /// As it is before anything has been told.
  public init() {}

  /// Takes over the properties of an `a{sv}`, the next argument of a message; others are passed over.
  package mutating func update(from message: borrowing Message) throws(BusError) {
    var updated = self
    try message.readProperties { name, message throws(BusError) in try updated.update(name, from: message) }
    self = updated
  }

  private mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "RotationLocked": lock = try message.readBoolVariant() ? .locked : .unlocked
    case "InterfaceOrientation":
      orientation = InterfaceOrientation(rawValue: try message.readUInt32Variant()) ?? .unknown
    case "Transform": transform = try message.readStringVariant()
    case "SupportedInterfaceOrientations":
      supported = InterfaceOrientationMask(rawValue: try message.readUInt32Variant())
    case "TabletMode": tabletMode = try message.readStringVariant()
    default: try message.skip("v")
    }
  }
}
