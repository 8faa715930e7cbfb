// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonClient
import Following
import Orientation
import OrientationClient
import Systemd

/// Calls of the daemon's Screen interface, for the commands that change the screen.
///
/// Each change returns the state after it.
struct ScreenClient: ~Copyable {
  /// How long to wait for an orientation, in seconds.
  ///
  /// The daemon answers with an error after 3.
  private static let sensorSeconds = 5.0

  private let bus: Bus
  private let options: BusOptions

  /// Connects to the bus, which starts the daemon at the first call if it does not run.
  init(options: BusOptions) throws(CommandError) {
    bus = try options.connect()
    self.options = options
  }

  /// The present state, or that after a call which changes the screen.
  func state(after call: DaemonCall? = nil) throws(CommandError) -> ScreenSnapshot {
    do throws(BusError) {
      return try readState(after: call)
    } catch {
      throw CommandError(error, options: options)
    }
  }

  /// Rotates the interface by hand.
  func rotate(to orientation: InterfaceOrientation) throws(CommandError) -> ScreenSnapshot {
    do throws(BusError) {
      return try readState(
        after: .screen("Rotate", .uint32(orientation.rawValue), authorization: .ofTerminal))
    } catch {
      guard error.name == ServiceErrorName.unsupportedOrientation else {
        throw CommandError(error, options: options)
      }
      throw .unsupported(orientation, in: try state())
    }
  }

  /// Gives the interface the orientation in which the device is held.
  ///
  /// The sensor runs for this.
  ///
  /// - Throws: ``CommandError`` with the reason, if the interface stays in another orientation or rotation is locked.
  func rotateToDevice() throws(CommandError) -> ScreenSnapshot {
    let device: DeviceOrientation
    let reached: InterfaceOrientation?
    let screen: ScreenSnapshot
    do throws(BusError) {
      // The interface follows only while there are subscribers. The subscription ends when this process exits.
      _ = try bus.call(.device("BeginGeneratingDeviceOrientationNotifications"))
      let orientation = try bus.call(.device("MeasureOrientation"), forSeconds: Self.sensorSeconds)
      device = DeviceOrientation(rawValue: try orientation.readUInt32()) ?? .unknown
      let attempt = try bus.call(.screen("RotateToDevice", authorization: .ofTerminal))
      reached = InterfaceOrientation(rawValue: try attempt.readUInt32())
      screen = try readState(after: nil)
    } catch {
      throw CommandError(error, options: options)
    }
    // Under the lock, `device` is what the lock holds, and not how the device is held.
    guard screen.lock == .unlocked, let wanted = InterfaceOrientation(uprightOn: device), wanted == reached
    else {
      throw .stays(screen, on: device)
    }
    return screen
  }

  private func readState(after call: DaemonCall?) throws(BusError) -> ScreenSnapshot {
    if let call { _ = try bus.call(call) }
    var screen = try ScreenSnapshot(from: try bus.call(.allProperties(of: DBusNames.screenInterface)))
    screen.update(
      from: try DeviceSnapshot(from: try bus.call(.allProperties(of: DBusNames.deviceInterface))))
    return screen
  }
}

/// The options and the output of the commands that change or show the screen.
struct ScreenOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  /// Prints the present state: the sentence for people, or the whole state for programs.
  ///
  /// - Parameters:
  ///   - screen: the state.
  ///   - sentence: what it says.
  ///   - isToBeSeen: whether a person expects to see it on the screen and to find it after a restart, and is warned otherwise.
  /// - Throws: ``OutputError``
  func show(_ screen: ScreenSnapshot, _ sentence: String, isToBeSeen: Bool = false) throws(OutputError) {
    try StandardOutput.write((output.isJSON ? screen.json.text : sentence) + "\n")
    guard isToBeSeen else { return }
    if let warning = screen.followerWarning { Report.note(warning) }
    guard !screen.isStateKept else { return }
    Report.note(
      "orientationd cannot save this: it lasts until the service restarts; its journal says why")
  }
}
