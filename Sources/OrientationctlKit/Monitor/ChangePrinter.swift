// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Systemd

/// Prints the changes of device and screen.
///
/// A value that equals the one before is not printed.
final class ChangePrinter: MonitorPrinter {
  private let isJSON: Bool
  private let only: MonitorFilter?
  private var lines: LineCount
  private var lastOrientation = DeviceOrientation.unknown
  private var lastScreen = ScreenSnapshot()

  /// Creates a printer that has printed nothing.
  ///
  /// It compares the first values with an unknown orientation of the device, and with a screen whose values all have their
  /// defaults.
  ///
  /// - Parameters:
  ///   - isJSON: whether lines are for programs.
  ///   - limit: the number of lines to print; nil is no limit.
  ///   - only: the half to print; nil is both.
  init(isJSON: Bool, limit: Int?, only: MonitorFilter? = nil) {
    self.isJSON = isJSON
    lines = LineCount(limit: limit)
    self.only = only
  }

  let showsDevice = true

  var isDone: Bool { lines.isComplete }

  var shortfall: String? { lines.shortfall }

  /// Prints a line if the device's orientation is new.
  func print(_ change: DeviceChange) throws(OutputError) {
    guard only != .screen, change.orientation != lastOrientation else { return }
    lastOrientation = change.orientation
    let members: [JSON.Member] = [
      .init("orientation", .integer(Int64(change.orientation.rawValue))),
      .init("name", .string(change.orientation.name)),
      .init("sample_boottime_us", change.sampleTime.map(JSON.microseconds) ?? .null),
    ]
    try printLine(
      at: change.time, text: "device \(change.orientation.name)", event: "orientation", members: members)
  }

  /// Prints a line for each value of the screen that is new.
  func print(_ screen: ScreenSnapshot, at time: BootTime) throws(OutputError) {
    guard only != .device else { return }
    let before = lastScreen
    lastScreen = screen
    for change in ScreenChange.all(from: before, to: screen) {
      try printLine(
        at: time, text: change.text(in: screen), event: change.event, members: change.members(in: screen))
    }
  }

  // Without a daemon the screen stays as it is, and the monitor makes the device's orientation unknown.
  func printUnavailable() {}

  private func printLine(
    at instant: BootTime, text: String, event: String, members: [JSON.Member]
  ) throws(OutputError) {
    guard !isDone else { return }
    lines.add()
    let time = WallTime(instant)
    let line: String
    if isJSON {
      let common: [JSON.Member] = [
        .init("event", .string(event)), .init("time", .string(time.rfc3339)),
        .init("boottime_us", .microseconds(instant)),
      ]
      line = JSON.object(common + members).text
    } else {
      line = "\(time.timeOfDay)  \(text.printable)"
    }
    try StandardOutput.write(line + "\n")
  }
}

extension JSON {
  /// An instant, in microseconds since boot.
  fileprivate static func microseconds(_ instant: BootTime) -> JSON {
    .integer(Int64(clamping: instant.microseconds))
  }
}
