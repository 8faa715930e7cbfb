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
        service, call throws(BusError) in try service.authorizer.answer(call, whetherMay: .setRotationLock)
      },
      .method("CanRotate", outputs: ["answer": "s"]) {
        service, call throws(BusError) in try service.authorizer.answer(call, whetherMay: .rotate)
      },
      .method("Rotate", inputs: ["orientation": "u"]) {
        service, call throws(BusError) in try service.rotate(call)
      },
      .method(
        "RotateToDevice", outputs: ["orientation": "u"]
      ) { service, call throws(BusError) in try service.rotateToDevice(call) },
      .method(
        "SetSupportedInterfaceOrientations", inputs: ["orientations": "as"]
      ) { service, call throws(BusError) in try service.setSupportedInterfaceOrientations(call) },
      .method("SetResponsiveness", inputs: ["responsiveness": "s"]) {
        service, call throws(BusError) in try service.setResponsiveness(call)
      },
      .method(
        "HoldInterfaceOrientations",
        inputs: ["orientations": "as", "application_id": "s", "reason": "s", "options": "a{sv}"],
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
        "InterfaceOrientationDidChange", ["orientation": "u", "previous": "u", "time_usec": "t"]),
      .signal("RotationLockDidChange", ["locked": "b", "time_usec": "t"]),
    ]
  }
}

/// The values of the `org.orientationd1.Screen` properties, all of which announce their changes.
struct ScreenProperties: Equatable {
  var lock: RotationLock
  var orientation: InterfaceOrientation
  /// Whether anything has decided on the orientation.
  var isDecided: Bool
  /// What the interface would take if rotation were unlocked now.
  var suggested: InterfaceOrientation
  var transform: OutputTransform
  /// What the person supports.
  var supported: InterfaceOrientationMask
  /// What of that the newest hold leaves.
  var effective: InterfaceOrientationMask
  /// The holds of apps, the oldest first.
  var holds: [ListedHold]
  /// Who turns the screen as this says.
  var followers: [String]
  /// Who serves iio-sensor-proxy's interface instead; empty if nobody does.
  var otherSensorProxy: String
  /// How readily the orientation changes.
  var responsiveness: Responsiveness
  /// Whether the person's choices survive a restart of the machine.
  var isStateKept: Bool

  /// The properties on D-Bus.
  static var table: [Property<Self>] {
    [
      Property("RotationLocked") { $0.lock == .locked },
      Property("InterfaceOrientation") { $0.orientation.rawValue },
      Property("InterfaceOrientationName") { $0.orientation.name },
      Property("InterfaceOrientationIsDecided") { $0.isDecided },
      Property("Transform") { $0.transform.rawValue },
      Property("SupportedInterfaceOrientations") { $0.supported.names },
      Property("SuggestedInterfaceOrientation") { $0.suggested.rawValue },
      Property("SuggestedInterfaceOrientationName") { $0.suggested.name },
      Property("EffectiveInterfaceOrientations") { $0.effective.names },
      Property("InterfaceOrientationHolds") { $0.holds },
      Property("Followers") { $0.followers },
      Property("OtherSensorProxy") { $0.otherSensorProxy },
      Property("Responsiveness") { $0.responsiveness.rawValue },
      Property("StateIsKept") { $0.isStateKept },
    ]
  }
}

extension ListedHold: PropertyValue {
  static var type: String { "a{sv}" }

  func append(to message: borrowing Message) throws(BusError) {
    try message.append(.array, "{sv}") { entries throws(BusError) in
      try entries.appendEntry("hold", hold.number)
      try entries.appendEntry("orientations", hold.request.mask.names)
      try entries.appendEntry("application_id", hold.request.application)
      try entries.appendEntry("reason", hold.request.reason)
      try entries.appendEntry("owner", hold.caller.client)
      try entries.appendEntry("waits", waits)
      try entries.appendEntry("since_usec", hold.since.microseconds)
    }
  }
}

// MARK: Arguments

extension InterfaceOrientation {
  /// Reads the orientation that a call names; unknown is not allowed.
  init(argumentOf call: borrowing Message) throws(BusError) {
    let raw = try call.readUInt32()
    guard let orientation = InterfaceOrientation(rawValue: raw), orientation != .unknown else {
      throw .invalidArguments(
        "\(raw) is no interface orientation: 1 is portrait, 2 portraitUpsideDown, 3 landscapeRight, 4 landscapeLeft."
      )
    }
    self = orientation
  }
}

extension InterfaceOrientationMask {
  /// The names of the orientations in the set, for a message.
  fileprivate var list: String { names.joined(separator: ", ") }

  /// Reads the set that a call names, which must not be empty.
  init(argumentOf call: borrowing Message) throws(BusError) {
    let names = try call.readStrings()
    for name in names where InterfaceOrientation(name: name).map({ $0 == .unknown }) ?? true {
      throw .invalidArguments(
        "\"\(name.printable)\" is no interface orientation; these are: \(Self.all.list).")
    }
    self.init(names: names)
    guard !isEmpty else { throw BusError(UnsupportedOrientation.empty) }
  }
}

extension BusError {
  /// The error for an orientation that is not supported.
  init(_ refusal: UnsupportedOrientation) {
    switch refusal {
    case .empty:
      self = .invalidArguments(
        "No orientation is named; give at least one of \(InterfaceOrientationMask.all.list).")
    case .notSupported(let supported):
      self.init(
        name: ServiceErrorName.unsupportedOrientation,
        message: "Supported now: \(supported.list). "
          + "SetSupportedInterfaceOrientations (orientationctl supported) changes that.")
    case .held(let held):
      self.init(
        name: ServiceErrorName.unsupportedOrientation,
        message: "An app holds the interface to \(held.list); InterfaceOrientationHolds says which app.")
    }
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
