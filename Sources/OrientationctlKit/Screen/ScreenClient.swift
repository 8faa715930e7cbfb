// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import OrientationClient
import Systemd

/// Calls of the daemon's Screen interface, for the commands that change the screen.
///
/// Each change returns the state after it.
struct ScreenClient: ~Copyable {
  /// How long to wait for an authentication, in seconds.
  ///
  /// The daemon answers with an error after 120.
  private static let authenticationSeconds = 125.0
  /// How long to wait for an orientation, in seconds.
  ///
  /// The daemon answers with an error after 3.
  private static let sensorSeconds = 5.0

  /// The paragraph on permissions in the help texts of these commands.
  static let authorizationHelp = """
    Programs of a session on the device itself may do this. Other programs, such as those of a session over ssh, may do \
    so after the user has authenticated; the user is asked if the standard input is a terminal.
    """

  private let bus: Bus
  private let options: BusOptions
  /// Whether polkit may ask the user to authenticate.
  private let isInteractive = isatty(STDIN_FILENO) != 0

  /// Connects to the bus, which starts the daemon at the first call if it does not run.
  init(options: BusOptions) throws(CommandError) {
    bus = try options.connect()
    self.options = options
  }

  /// The present state.
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

  /// Sets the orientations that the interface may have.
  func support(_ orientations: InterfaceOrientationMask) throws(CommandError) -> ScreenSnapshot {
    try change("SetSupportedInterfaceOrientations") { call throws(BusError) in
      try call.append(orientations.rawValue)
    }
  }

  /// Gives the interface the orientation in which the device is held.
  ///
  /// The sensor runs for this.
  ///
  /// - Throws: ``CommandError`` with the reason, if the interface stays in another orientation.
  func rotateToDevice() throws(CommandError) -> ScreenSnapshot {
    let device: DeviceOrientation
    let screen: ScreenSnapshot
    do throws(BusError) {
      // The interface follows only while there are subscribers. The subscription ends when this process exits.
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
