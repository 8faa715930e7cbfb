// SPDX-License-Identifier: Apache-2.0

public import Orientation
package import Systemd

/// An app's hold of the interface: an element of `InterfaceOrientationHolds`.
public struct InterfaceOrientationHold: Equatable, Sendable {
  /// The number of the hold.
  public var number: UInt32
  /// The orientations to which the app holds the interface.
  public var orientations: InterfaceOrientationMask
  /// What the app says that it is, such as `org.example.Player`.
  public var application: String
  /// What the app says that the hold is for.
  public var reason: String

  /// Creates a hold with these values.
  public init(
    number: UInt32, orientations: InterfaceOrientationMask, application: String, reason: String
  ) {
    self.number = number
    self.orientations = orientations
    self.application = application
    self.reason = reason
  }

  /// Reads a `(uuss)`, the next argument of a message.
  package init(from message: borrowing Message) throws(BusError) {
    self = try message.read(.structure, "uuss") { fields throws(BusError) in
      InterfaceOrientationHold(
        number: try fields.readUInt32(),
        orientations: InterfaceOrientationMask(rawValue: try fields.readUInt32()),
        application: try fields.readString(), reason: try fields.readString())
    }
  }
}
