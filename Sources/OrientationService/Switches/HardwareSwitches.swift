// SPDX-License-Identifier: Apache-2.0

// The device's own switches and keys: rotation lock (SW_ROTATE_LOCK, KEY_ROTATE_LOCK_TOGGLE) and tablet mode
// (SW_TABLET_MODE). They are input devices, as keyboards and mice are: sysfs shows which devices have such a control, and
// only those are opened. Devices come and go with docks, and some drivers create them at the first movement, so udev's events are used.

import Evdev
import Orientation
import SensorSetup
import Systemd

/// Follows the machine's switches and keys, until this is destroyed.
final class HardwareSwitches: ServicePart {
  /// A change of a switch, or a key that was pressed.
  enum Event: Equatable, Sendable {
    /// A switch for the rotation lock has this position: it was moved, or is new.
    case rotationLock(RotationLock)
    /// The key for the rotation lock was pressed.
    case rotationLockToggled
    /// The mode has changed.
    case tabletMode(TabletMode)
  }

  /// How many devices are opened at most; real machines have one or two with such controls.
  static let deviceLimit = 16

  private let loop: EventLoop
  private let root: String
  /// Whether the service serves desktops by iio-sensor-proxy's interface: until its end, also after a reload.
  private let servesDesktops: Bool
  private var wanted: InputControls
  private let log: ServiceLog
  private let whenChanged: (Event) -> Void
  private var monitor: DeviceMonitor?
  private var devices: [ListenedDevice] = []
  private var board = SwitchBoard()
  private var tabletMode = TabletMode.unknown

  /// Opens the present devices, and waits for others.
  ///
  /// A device that cannot be opened is logged. It is tried again when udev notifies of a change of it.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - configuration: whether the rotation lock and the tablet mode are used.
  ///   - log: reports devices that cannot be used.
  ///   - root: the folder that stands for "/".
  ///   - whenChanged: called for each event, and by this initializer with the positions at the start: with the rotation
  ///     lock if there is a switch for it, locked if any of them is on; and with the mode unless it is unknown.
  /// - Throws: `SystemdError` if udev's socket cannot be opened.
  init(
    loop: EventLoop, configuration: Configuration, log: ServiceLog, root: String = "",
    whenChanged: @escaping (Event) -> Void
  ) throws(SystemdError) {
    self.loop = loop
    self.root = root
    self.log = log
    self.whenChanged = whenChanged
    servesDesktops = configuration.sensorProxy
    wanted = Self.controls(by: configuration, servesDesktops: servesDesktops)
    // Before the devices are listed, so that none is missed in between.
    monitor = try DeviceMonitor(subsystem: "input", loop: loop) { [unowned(unsafe) self] in
      handle($0.action, of: $0.sysfsName)
    }
    listenToAll()
  }

  private static func controls(by configuration: Configuration, servesDesktops: Bool) -> InputControls {
    var controls: InputControls = configuration.tabletModeSwitch ? .tabletModeSwitch : []
    if configuration.hardwareLock != .ignored { controls.insert(.rotateLockSwitch) }
    switch configuration.hardwareLock {
    case .automatic where !servesDesktops, .switchAndKey: controls.insert(.rotateLockToggleKey)
    case .automatic, .switchOnly, .ignored: break
    }
    return controls
  }

  private func listenToAll() {
    for id in InputDeviceDescription.ids(root: root) { _ = listen(to: id) }
    if let lock = board.rotationLock { whenChanged(.rotationLock(lock)) }
    tellTabletMode()
  }

  /// Uses another configuration from now on: the devices are opened again, and the positions of the switches reported as at the start.
  func reconfigure(_ configuration: Configuration) {
    let controls = Self.controls(by: configuration, servesDesktops: servesDesktops)
    guard controls != wanted else { return }
    wanted = controls
    devices = []
    board = SwitchBoard()
    listenToAll()
  }

  /// Handles an event of udev.
  func handle(_ action: DeviceEvent.Action, of id: String) {
    if action == .remove {
      stopListening(to: id)
    } else if let added = listen(to: id) {
      if added.controls.contains(.rotateLockSwitch) {
        whenChanged(.rotationLock(RotationLock(isSwitchOn: added.on.contains(.rotateLockSwitch))))
      }
      tellTabletMode()
    }
  }

  /// Opens a device that has one of the controls wanted and is not open yet; nil if there is none such.
  private func listen(to id: String) -> (controls: InputControls, on: InputControls)? {
    guard !devices.contains(where: { $0.id == id }),
      let description = InputDeviceDescription(id: id, root: root)
    else { return nil }
    let controls = description.controls.intersection(wanted)
    guard !controls.isEmpty else { return nil }
    guard devices.count < Self.deviceLimit else {
      log.tooManyHardwareSwitches(description, limit: Self.deviceLimit)
      return nil
    }
    do throws(InputDeviceError) {
      let device = try ListenedDevice(description, controls: controls)
      let on = try device.input.switchesOn()
      try device.wait(on: loop) { [unowned(unsafe) self] in read(id) }
      devices.append(device)
      board.add(id, controls: controls, on: on)
      log.listens(to: description)
      return (controls, on)
    } catch {
      log.hardwareSwitch(description, failed: error)
      return nil
    }
  }

  private func stopListening(to id: String) {
    devices.removeAll { $0.id == id }
    board.remove(id)
    tellTabletMode()
  }

  /// Handles a batch of a device's events.
  private func read(_ id: String) {
    guard let device = devices.first(where: { $0.id == id }) else { return }
    do throws(InputDeviceError) {
      try device.input.readEvents { handle($0, of: device) }
    } catch {
      // Else its descriptor would stay readable, and the loop would never sleep.
      log.hardwareSwitch(device.description, failed: error)
      stopListening(to: id)
    }
  }

  private func handle(_ event: InputEvent, of device: ListenedDevice) {
    switch event {
    case .pressedRotateLockToggle: whenChanged(.rotationLockToggled)
    case .switched(let inputSwitch, let isOn):
      guard board.move(inputSwitch, of: device.id, isOn: isOn) else { return }
      switch inputSwitch {
      case .rotateLock: whenChanged(.rotationLock(RotationLock(isSwitchOn: isOn)))
      case .tabletMode: tellTabletMode()
      }
    }
  }

  /// Reports the mode if it has changed.
  private func tellTabletMode() {
    guard board.tabletMode != tabletMode else { return }
    tabletMode = board.tabletMode
    whenChanged(.tabletMode(tabletMode))
  }
}

/// A device that is open and waited for.
private final class ListenedDevice {
  let description: InputDeviceDescription
  let input: InputDevice
  private var source: EventSource?

  var id: String { description.id }

  init(_ description: InputDeviceDescription, controls: InputControls) throws(InputDeviceError) {
    self.description = description
    input = try InputDevice(path: description.path, listeningTo: controls)
  }

  /// The loop stops using the descriptor before it is closed.
  deinit { source = nil }

  func wait(
    on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(InputDeviceError) {
    do throws(SystemdError) {
      source = try loop.onReadable(input.fileDescriptor, handler)
    } catch {
      throw .system(operation: error.operation, path: description.path, code: error.code)
    }
  }
}
