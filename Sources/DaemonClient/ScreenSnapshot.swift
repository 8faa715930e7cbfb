// SPDX-License-Identifier: Apache-2.0

package import Orientation
package import Systemd

/// The properties of `org.orientationd1.Screen`, as far as the daemon has sent them.
///
/// Before that, all have their defaults, and the interface's orientation is unknown.
package struct ScreenSnapshot: Equatable, Sendable {
  /// Whether the interface keeps its orientation: `RotationLocked`.
  package var lock = RotationLock.unlocked
  /// The orientation of the interface: `InterfaceOrientation`.
  package var orientation = InterfaceOrientation.unknown
  /// Whether anything has decided on it; until then, a screen is best left as it is: `InterfaceOrientationIsDecided`.
  package var isDecided = false
  /// A word of `OutputTransform`; a string, because it is only shown.
  package var transform = OutputTransform.normal.rawValue
  /// The orientations that the interface may have: `SupportedInterfaceOrientations`.
  package var supported = InterfaceOrientationMask.all
  /// The orientation that the interface would take if rotation were unlocked: `SuggestedInterfaceOrientation`.
  package var suggested = InterfaceOrientation.unknown
  /// The supported orientations that the newest hold allows: `EffectiveInterfaceOrientations`.
  package var effective = InterfaceOrientationMask.all
  /// The holds of apps, the oldest first: `InterfaceOrientationHolds`.
  package var holds: [InterfaceOrientationHold] = []
  /// A word of `TabletMode`, of the device's interface; a string, because a newer daemon may have more words.
  package var tabletMode = TabletMode.unknown.rawValue
  /// A word of `TabletModeSource`; a string, as with ``tabletMode``.
  package var tabletModeSource = TabletModeSource.none.rawValue
  /// The unique names of the programs that turn the screen to ``orientation``: `Followers`.
  package var followers: [String] = []
  /// The unique name of another program that serves iio-sensor-proxy's interface, if any: `OtherSensorProxy`.
  ///
  /// A desktop may turn the screen by that.
  package var otherSensorProxy = ""
  /// How readily the orientation changes: `Responsiveness`; nil from a daemon that does not tell, and for a word of a newer one.
  package var responsiveness: Responsiveness?
  /// Whether the lock and what else people choose survives a restart of the machine: `StateIsKept`.
  package var isStateKept = true

  /// Creates the values before the daemon has sent any.
  package init() {}
}

extension ScreenSnapshot {
  /// The orientation of the device in which the panel needs no transform; nil before the daemon has reported it.
  package var naturalOrientation: NaturalOrientation? {
    OutputTransform(rawValue: transform).flatMap { NaturalOrientation(showing: orientation, by: $0) }
  }

  /// Takes in what the device's interface says of the screen: how a convertible is folded.
  package mutating func update(from device: DeviceSnapshot) {
    (tabletMode, tabletModeSource) = (device.tabletMode, device.tabletModeSource)
  }
}

extension ScreenSnapshot: DaemonProperties {
  /// Reads or skips a property, the variant that is next.
  package mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "RotationLocked": lock = try message.readVariant() ? .locked : .unlocked
    case "InterfaceOrientation":
      orientation = InterfaceOrientation(rawValue: try message.readVariant()) ?? .unknown
    case "InterfaceOrientationIsDecided": isDecided = try message.readVariant()
    case "Transform": transform = try message.readVariant()
    case "SupportedInterfaceOrientations":
      supported = InterfaceOrientationMask(names: try message.readVariant())
    case "SuggestedInterfaceOrientation":
      suggested = InterfaceOrientation(rawValue: try message.readVariant()) ?? .unknown
    case "EffectiveInterfaceOrientations":
      effective = InterfaceOrientationMask(names: try message.readVariant())
    case "InterfaceOrientationHolds": holds = try Self.readHolds(from: message)
    case "Followers": followers = try message.readVariant()
    case "Responsiveness": responsiveness = Responsiveness(rawValue: try message.readVariant())
    case "StateIsKept": isStateKept = try message.readVariant()
    case "OtherSensorProxy": otherSensorProxy = try message.readVariant()
    default: try message.skip("v")
    }
  }

  private static func readHolds(
    from message: borrowing Message
  ) throws(BusError) -> [InterfaceOrientationHold] {
    var holds: [InterfaceOrientationHold] = []
    try message.read(.variant, "aa{sv}") { value throws(BusError) in
      try value.readArray(of: "a{sv}") { element throws(BusError) in
        holds.append(try InterfaceOrientationHold(from: element))
      }
    }
    return holds
  }
}

/// An app's hold of the interface: an element of `InterfaceOrientationHolds`.
package struct InterfaceOrientationHold: Equatable, Sendable {
  /// The number of the hold.
  package var number: UInt32 = 0
  /// The orientations to which the app holds the interface.
  package var orientations: InterfaceOrientationMask = []
  /// What the app says that it is, such as `org.example.Player`.
  package var application = ""
  /// What the app says that the hold is for.
  package var reason = ""
  /// Whether it has none of the orientations that the user supports, so that another one counts.
  package var isWaiting = false
  /// The unique name of the app.
  package var owner = ""
  /// When it was taken, on CLOCK_BOOTTIME in microseconds.
  package var sinceMicroseconds: UInt64 = 0

  /// Creates a hold that has nothing yet.
  package init() {}
}

extension InterfaceOrientationHold: DaemonProperties {
  /// Reads or skips an entry.
  package mutating func update(_ name: String, from message: borrowing Message) throws(BusError) {
    switch name {
    case "hold": number = try message.readVariant()
    case "orientations": orientations = InterfaceOrientationMask(names: try message.readVariant())
    case "application_id": application = try message.readVariant()
    case "reason": reason = try message.readVariant()
    case "waits": isWaiting = try message.readVariant()
    case "owner": owner = try message.readVariant()
    case "since_usec": sinceMicroseconds = try message.readVariant()
    default: try message.skip("v")
    }
  }
}
