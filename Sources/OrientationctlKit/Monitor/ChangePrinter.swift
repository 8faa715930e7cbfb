// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import IIO
import Monitoring
import Orientation
import Systemd

/// Prints the changes of device and screen.
///
/// A value that equals the one before is not printed.
final class ChangePrinter: MonitorPrinter {
  /// What has changed: for people, the kind of change for programs, and the other members for programs.
  typealias Change = (text: String, event: String, members: [JSON.Member])

  private let isJSON: Bool
  private let only: MonitorFilter?
  private var lastOrientation = DeviceOrientation.unknown
  private var lastScreen = ScreenSnapshot()

  /// Creates a printer that has printed nothing.
  ///
  /// It compares the first values with an unknown orientation of the device, and with a screen whose values all have their
  /// defaults.
  ///
  /// - Parameters:
  ///   - isJSON: whether lines are for programs.
  ///   - only: the half to print; nil is both.
  init(isJSON: Bool, only: MonitorFilter? = nil) {
    self.isJSON = isJSON
    self.only = only
  }

  let showsDevice = true

  func show(_ orientation: DeviceOrientation, decidedAt sampleTime: BootTime?) -> [String] {
    guard only != .screen, orientation != lastOrientation else { return [] }
    lastOrientation = orientation
    let members: [JSON.Member] = [
      ("orientation", .integer(Int64(orientation.rawValue))),
      ("name", .string(orientation.name)),
      ("sample_boottime_us", sampleTime.map(JSON.microseconds) ?? .null),
    ]
    return [line(("device \(orientation.name)", "orientation", members), at: .now)]
  }

  func show(_ screen: ScreenSnapshot) -> [String] {
    guard only != .device else { return [] }
    defer { lastScreen = screen }
    let time = BootTime.now
    return Self.changes(from: lastScreen, to: screen).map { line($0, at: time) }
  }

  // Without a daemon the screen stays as it is, and the monitor makes the device's orientation unknown.
  func showUnavailable() -> [String] { [] }

  /// The values of the screen that differ between two states.
  static func changes(from before: ScreenSnapshot, to now: ScreenSnapshot) -> [Change] {
    var changes: [Change] = []
    if now.lock != before.lock {
      let text = "rotation \(now.lock == .locked ? "locked" : "unlocked")"
      changes.append((text, "rotation_lock", now.lockMembers))
    }
    if now.supported != before.supported {
      let text =
        "supported \(now.supported.namesWithMeaning(on: now.naturalOrientation).joined(separator: ", "))"
      changes.append((text, "supported_interface_orientations", now.supportedMembers))
    }
    if now.tabletMode != before.tabletMode {
      changes.append(("tablet mode \(now.tabletMode)", "tablet_mode", now.tabletModeMembers))
    }
    // The interface is last, because a change of the others can move it: the cause is printed first.
    // Only the transform changes if the panel's natural orientation becomes known later.
    if now.orientation != before.orientation || now.transform != before.transform {
      let text =
        "interface \(now.orientation.nameWithMeaning(on: now.naturalOrientation)), transform \(now.transform)"
      changes.append((text, "interface_orientation", now.orientationMembers))
    }
    return changes
  }

  private func line(_ change: Change, at instant: BootTime) -> String {
    let time = WallTime(instant)
    guard isJSON else { return "\(time.timeOfDay)  \(change.text.printable)" }
    let common: [JSON.Member] = [
      ("event", .string(change.event)), ("time", .string(time.rfc3339)),
      ("boottime_us", .microseconds(instant)),
    ]
    return JSON.object(common + change.members).text
  }
}

extension JSON {
  /// An instant, in microseconds since boot.
  fileprivate static func microseconds(_ instant: BootTime) -> JSON {
    .integer(Int64(clamping: instant.microseconds))
  }
}
