// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import OrientationClient
import Systemd

/// The daemon's screen half, for the commands that change it.
///
/// Each change returns what holds after it.
struct ScreenClient: ~Copyable {
  /// How long somebody may take to authenticate, in seconds; the daemon gives up after 120 and says so itself.
  private static let authenticationSeconds = 125.0
  /// How long the sensor may take for an orientation, in seconds; the daemon gives up after 3 itself.
  private static let sensorSeconds = 5.0

  /// What the help texts of those commands say of permissions.
  static let authorizationHelp = """
    Programs of a session on the device itself may do this. Other programs, such as those of a session over ssh, may do \
    so after the user has authenticated; the user is asked if the standard input is a terminal.
    """

  private let bus: Bus
  private let options: BusOptions
  /// Whether somebody sits before this who can be asked to authenticate.
  private let isInteractive = isatty(STDIN_FILENO) != 0

  /// Connects to the bus, which starts the daemon with the first call where it does not run.
  init(options: BusOptions) throws(CommandError) {
    bus = try options.connect()
    self.options = options
  }

  /// What holds now.
  func state() throws(CommandError) -> ScreenSnapshot {
    do throws(BusError) {
      return try readState()
    } catch {
      throw CommandError(error, options: options)
    }
  }

  /// Locks or unlocks the rotation.
  func setRotationLock(_ lock: RotationLock) throws(CommandError) -> ScreenSnapshot {
    try change("SetRotationLock") { call throws(BusError) in try call.append(lock == .locked) }
  }

  /// Rotates the interface by hand.
  func rotate(to orientation: InterfaceOrientation) throws(CommandError) -> ScreenSnapshot {
    do throws(BusError) {
      return try send("SetInterfaceOrientation") { call throws(BusError) in
        try call.append(orientation.rawValue)
      }
    } catch {
      guard error.name == ServiceErrorName.unsupportedOrientation else {
        throw CommandError(error, options: options)
      }
      throw .unsupported(orientation, in: try state())
    }
  }

  /// Says which orientations the interface may have.
  func support(_ orientations: InterfaceOrientationMask) throws(CommandError) -> ScreenSnapshot {
    try change("SetSupportedInterfaceOrientations") { call throws(BusError) in
      try call.append(orientations.rawValue)
    }
  }

  /// Has the interface take the orientation in which the device is held; the sensor runs for it.
  ///
  /// - Throws: ``CommandError`` where it could not, with the reason.
  func rotateToDevice() throws(CommandError) -> ScreenSnapshot {
    let device: DeviceOrientation
    let screen: ScreenSnapshot
    do throws(BusError) {
      // The interface follows only while somebody generates; who leaves the bus, as this does soon, is forgotten.
      _ = try bus.call(try bus.deviceCall("BeginGeneratingDeviceOrientationNotifications"))
      let orientation = try bus.call(
        try bus.deviceCall("GetOrientation"), timeoutSeconds: Self.sensorSeconds)
      device = DeviceOrientation(rawValue: try orientation.readUInt32()) ?? .unknown
      screen = try send("AttemptRotationToDeviceOrientation")
    } catch {
      throw CommandError(error, options: options)
    }
    guard let wanted = InterfaceOrientation(uprightOn: device), wanted == screen.orientation else {
      throw .stays(screen, on: device)
    }
    return screen
  }

  private func change(
    _ member: String, _ arguments: (borrowing Message) throws(BusError) -> Void
  ) throws(CommandError) -> ScreenSnapshot {
    do throws(BusError) {
      return try send(member, arguments)
    } catch {
      throw CommandError(error, options: options)
    }
  }

  private func send(
    _ member: String, _ arguments: (borrowing Message) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> ScreenSnapshot {
    let call = try bus.daemonCall(member, of: DBusNames.screenInterface)
    try arguments(call)
    if isInteractive { try call.allowInteractiveAuthorization() }
    _ = try bus.call(call, timeoutSeconds: isInteractive ? Self.authenticationSeconds : nil)
    return try readState()
  }

  private func readState() throws(BusError) -> ScreenSnapshot {
    var screen = ScreenSnapshot()
    try screen.update(from: try bus.call(try bus.propertiesCall(of: DBusNames.screenInterface)))
    return screen
  }
}
