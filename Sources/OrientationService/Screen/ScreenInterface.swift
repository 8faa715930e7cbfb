// SPDX-License-Identifier: Apache-2.0

// The Screen interface as clients see it: its members, the values of its properties, and the arguments of its methods. The
// arguments are checked here: numbers become orientations, and what is not supported becomes a D-Bus error.

import Orientation
import Systemd

extension Interface {
  /// `org.orientationd1.Screen`: the interface orientation's half of the D-Bus interface.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func screen(_ service: ScreenService) -> Interface {
    Interface(DBusNames.screenInterface, of: service, screenProperties + screenMethods + screenSignals)
  }

  private static var screenProperties: [Member<ScreenService>] {
    Member.properties(ScreenProperties.table) { service, _ in service.properties }
  }

  // Every user may call: polkit decides.
  private static var screenMethods: [Member<ScreenService>] {
    [
      .method("SetRotationLock", inputs: ["locked": "b"]) {
        service, call throws(BusError) in try service.setRotationLock(call)
      },
      .method("ToggleRotationLock", outputs: ["locked": "b"]) {
        service, call throws(BusError) in try service.toggleRotationLock(call)
      },
      .method("CanSetRotationLock", outputs: ["answer": "s"]) {
        service, call throws(BusError) in try service.can(.setRotationLock, call)
      },
      .method("CanRotate", outputs: ["answer": "s"]) {
        service, call throws(BusError) in try service.can(.rotate, call)
      },
      .method("SetInterfaceOrientation", inputs: ["orientation": "u"]) {
        service, call throws(BusError) in try service.setInterfaceOrientation(call)
      },
      .method(
        "AttemptRotationToDeviceOrientation", outputs: ["orientation": "u"]
      ) { service, call throws(BusError) in try service.attemptRotationToDeviceOrientation(call) },
      .method(
        "SetSupportedInterfaceOrientations", inputs: ["orientations": "u"]
      ) { service, call throws(BusError) in try service.setSupportedInterfaceOrientations(call) },
      .method(
        "HoldInterfaceOrientations", inputs: ["orientations": "u", "application_id": "s", "reason": "s"],
        outputs: ["hold": "u"]
      ) { service, call throws(BusError) in try service.holdInterfaceOrientations(call) },
      .method("ReleaseInterfaceOrientations", inputs: ["hold": "u"]) {
        service, call throws(BusError) in try service.releaseInterfaceOrientations(call)
      },
      .method("BeginFollowing") { service, call throws(BusError) in try service.followers.begin(call) },
      .method("EndFollowing") { service, call throws(BusError) in try service.followers.end(call) },
    ]
  }

  private static var screenSignals: [Member<ScreenService>] {
    [
      .signal(
        "InterfaceOrientationDidChange", ["orientation": "u", "name": "s", "previous": "u", "when": "t"])
    ]
  }
}

/// The values of the `org.orientationd1.Screen` properties, all of which announce their changes.
struct ScreenProperties: Equatable {
  var lock: RotationLock
  var orientation: InterfaceOrientation
  /// What the interface would take if rotation were unlocked now.
  var suggested: InterfaceOrientation
  var transform: OutputTransform
  /// What the person supports.
  var supported: InterfaceOrientationMask
  /// What of that the newest hold leaves.
  var effective: InterfaceOrientationMask
  /// The holds of apps, the oldest first.
  var holds: [OrientationHold]
  var tabletMode: TabletModeFinding
  /// Who turns the screen as this says.
  var followers: [String]
  /// Who serves iio-sensor-proxy's interface instead; empty if nobody does.
  var otherSensorProxy: String
  /// Whether the person's choices survive a restart of the machine.
  var isStateKept: Bool

  /// The properties on D-Bus.
  static var table: [Property<Self>] {
    [
      Property("RotationLocked") { $0.lock == .locked },
      Property("InterfaceOrientation") { $0.orientation.rawValue },
      Property("InterfaceOrientationName") { $0.orientation.name },
      Property("Transform") { $0.transform.rawValue },
      Property("SupportedInterfaceOrientations") { $0.supported.rawValue },
      Property("SuggestedInterfaceOrientation") { $0.suggested.rawValue },
      Property("EffectiveInterfaceOrientations") { $0.effective.rawValue },
      Property("InterfaceOrientationHolds") { $0.holds },
      Property("TabletMode") { $0.tabletMode.mode.rawValue },
      Property("TabletModeSource") { $0.tabletMode.source.rawValue },
      Property("Followers") { $0.followers },
      Property("OtherSensorProxy") { $0.otherSensorProxy },
      Property("StateIsKept") { $0.isStateKept },
    ]
  }
}

extension OrientationHold: PropertyValue {
  /// Number, mask, application and reason.
  static var type: String { "(uuss)" }

  func append(to message: borrowing Message) throws(BusError) {
    try message.append(.structure, "uuss") { fields throws(BusError) in
      try fields.append(number)
      try fields.append(request.mask.rawValue)
      try fields.append(request.application)
      try fields.append(request.reason)
    }
  }
}

// MARK: Arguments

extension InterfaceOrientation {
  /// Reads the orientation that a call names; unknown is not allowed.
  init(argumentOf call: borrowing Message) throws(BusError) {
    let raw = try call.readUInt32()
    guard let orientation = InterfaceOrientation(rawValue: raw), orientation != .unknown else {
      throw BusError(
        name: ServiceErrorName.invalidOrientation,
        message:
          "\(raw) is no interface orientation: 1 is portrait, 2 portraitUpsideDown, 3 landscapeRight, 4 landscapeLeft."
      )
    }
    self = orientation
  }
}

extension InterfaceOrientationMask {
  /// Reads the set that a call names, which must not be empty.
  init(argumentOf call: borrowing Message) throws(BusError) {
    self.init(rawValue: try call.readUInt32())
    guard isSubset(of: .all) else {
      throw BusError(
        name: ServiceErrorName.invalidOrientation,
        message:
          "\(rawValue) is no set of interface orientations: add up 2 for portrait, 4 for portraitUpsideDown, "
          + "8 for landscapeRight, 16 for landscapeLeft."
      )
    }
    guard !isEmpty else { throw BusError(UnsupportedOrientation.empty) }
  }

  /// The names of the orientations in the set.
  var names: String {
    InterfaceOrientation.allCases.filter { contains($0) }.map { $0.name }.joined(separator: ", ")
  }
}

extension BusError {
  /// The error for an orientation that is not supported.
  init(_ refusal: UnsupportedOrientation) {
    let message =
      switch refusal {
      case .empty:
        "The mask is empty. It is a sum of portrait (2), portraitUpsideDown (4), landscapeRight (8), landscapeLeft (16)."
      case .notSupported(let supported):
        "Supported now: \(supported.names). SetSupportedInterfaceOrientations (orientationctl supported) changes that."
      case .held(let held):
        "An app holds the interface to \(held.names); InterfaceOrientationHolds says which app."
      }
    self.init(name: ServiceErrorName.unsupportedOrientation, message: message)
  }

  /// The error for a hold that would have to wait, as the person supports none of its orientations.
  init(refusingHoldWithin supported: InterfaceOrientationMask) {
    self.init(
      name: ServiceErrorName.unsupportedOrientation,
      message: "The person supports only \(supported.names). Go on without a hold;"
        + " try again when SupportedInterfaceOrientations changes.")
  }

  /// Runs `body`, and converts what it throws to a D-Bus error.
  static func wrapping(_ body: () throws(UnsupportedOrientation) -> Void) throws(BusError) {
    do throws(UnsupportedOrientation) {
      try body()
    } catch {
      throw BusError(error)
    }
  }
}
