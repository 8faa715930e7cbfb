// SPDX-License-Identifier: Apache-2.0

// The errors of the daemon and the bus as messages for a user: the reason, and what to do.

import DaemonClient
import Following
import Glibc
import Orientation
import Systemd

extension CommandError {
  /// Creates the message for a call of the daemon that failed.
  ///
  /// - Parameters:
  ///   - error: the answer to the call.
  ///   - options: the bus.
  ///   - advisesRoot: whether the message may advise to run the command line as root.
  init(_ error: BusError, options: BusOptions, advisesRoot: Bool = true) {
    let hint = Self.authorizationHint(
      command: CommandLine.arguments.dropFirst().joined(separator: " "),
      isRoot: geteuid() == 0 || !advisesRoot, isUserBus: options.isUser)
    switch error.name {
    case BusError.Name.accessDenied: self.init("not authorized: \(error.message.printable)\n\(hint)")
    case BusError.Name.interactiveAuthorizationRequired:
      self.init(
        "authentication is required, but the user can be asked only if the standard input is a terminal; run the "
          + "command in a terminal, or as a program of the session on the device itself\n\(hint)")
    case BusError.Name.limitsExceeded: self.init("orientationd is busy: \(error.message.printable)")
    case ServiceErrorName.sensorUnavailable:
      self.init("it is not known how the device is held: \(error.message.printable)")
    default: self.init(unanswered: error, options: options)
    }
  }

  /// What a user without permission can do.
  ///
  /// - Parameters:
  ///   - command: the arguments of the command line.
  ///   - isRoot: whether the user is root, for whom `sudo` changes nothing.
  ///   - isUserBus: whether the command used the session bus; `sudo` would use another user's.
  /// - Returns: what to read, and a command on a line of its own.
  static func authorizationHint(command: String, isRoot: Bool, isUserBus: Bool) -> String {
    let attempt = isRoot || isUserBus ? "" : ", or try:\n\n    sudo orientationctl \(command)"
    return "see AUTHORIZATION in orientationd(8)\(attempt)"
  }

  /// The error for an orientation that the interface may not have at present, with the reason.
  static func unsupported(_ orientation: InterfaceOrientation, in screen: ScreenSnapshot) -> CommandError {
    let wanted = InterfaceOrientationMask(orientation)
    // The newest hold is the one that counts.
    guard screen.supported.contains(orientation), let hold = screen.holds.last else {
      return unsupported(wanted, in: screen)
    }
    let natural = screen.naturalOrientation
    return CommandError(
      "the interface may not be in \(orientation.nameWithMeaning(on: natural)) while \(hold.application.printable) holds "
        + "it to \(hold.orientations.namesWithMeaning(on: natural).joined(separator: ", ")) (hold \(hold.number): \(hold.reason.printable))"
    )
  }

  /// The error for orientations none of which is supported at present.
  static func unsupported(
    _ orientations: InterfaceOrientationMask, in screen: ScreenSnapshot
  ) -> CommandError {
    let natural = screen.naturalOrientation
    let names = screen.supported.namesWithMeaning(on: natural)
    let wanted = screen.supported.union(orientations).names.joined(separator: " ")
    return CommandError(
      "the interface may not be in \(orientations.namesWithMeaning(on: natural).joined(separator: " or ")), but only "
        + "in \(names.joined(separator: ", ")); to change that:\n\n    orientationctl supported \(wanted)")
  }

  /// The error for an interface that does not take the orientation of the device, with the reason.
  static func stays(_ screen: ScreenSnapshot, on device: DeviceOrientation) -> CommandError {
    let reason: String
    if screen.lock == .locked {
      reason = "rotation is locked; to unlock it:\n\n    orientationctl unlock"
    } else if let wanted = InterfaceOrientation(uprightOn: device) {
      guard screen.effective.contains(wanted) else { return unsupported(wanted, in: screen) }
      reason =
        screen.tabletMode == TabletMode.laptop.rawValue
        ? "it does not follow the device in laptop mode (FollowIn=tablet in orientationd.conf(5))"
        : "the device is being turned; try again"
    } else {
      reason = "the device is held in \(device.name), and an interface follows only upright orientations"
    }
    let now = screen.orientation.nameWithMeaning(on: screen.naturalOrientation)
    return CommandError("the interface stays in \(now): \(reason)")
  }

  /// Creates the message for a call that the daemon has not answered itself.
  private init(unanswered error: BusError, options: BusOptions) {
    switch error.name {
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner:
      self.init(
        "orientationd does not run on the \(options.bus.name) bus, and the bus cannot start it; "
          + options.bus.startHint)
    case BusError.Name.noReply, BusError.Name.timeout:
      self.init("orientationd does not answer: \(error.message.printable); see the journal")
    case let name
    where BusError.Name.isFailedStart(name) || name == "org.freedesktop.DBus.Error.TimedOut":
      self.init(
        "orientationd does not run, and the \(options.bus.name) bus could not start it: \(error.message.printable)"
      )
    default: self.init("cannot contact orientationd: \(error.printable)")
    }
  }
}

extension DaemonCall.Authorization {
  /// The paragraph on permissions in the help texts of the commands that need one.
  static let help = """
    In a session on the device itself, this needs no password. Elsewhere, such as over ssh, an administrator's is \
    needed, and the command asks for it in a terminal.
    """

  /// The user is asked if the standard input is a terminal.
  static var ofTerminal: DaemonCall.Authorization { isatty(STDIN_FILENO) != 0 ? .interactive : .silent }
}
