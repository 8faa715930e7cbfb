// SPDX-License-Identifier: Apache-2.0

// An open input device (Linux evdev). A switch needs two ioctls and read(2), a page of code. libevdev would be one more library
// in memory, and keeps the whole state of each device.
//
// The kernel filters the events (EVIOCSMASK): if the device is a keyboard too, its other keys neither wake this process up nor
// become known to it.

import CLinux

/// What a user did with a device.
package enum InputEvent: Equatable, Sendable {
  /// A switch is on or off now; it may have been so before.
  case switched(InputSwitch, isOn: Bool)
  /// KEY_ROTATE_LOCK_TOGGLE was pressed. There are no events for its repetition and its release.
  case pressedRotateLockToggle
}

/// An input device, open for reading.
public struct InputDevice: ~Copyable {
  /// Readable while there are events, and when the device is gone; for an event loop.
  package let fileDescriptor: CInt
  private let path: String
  private let controls: InputControls

  /// Opens a device, and limits its events to these controls.
  ///
  /// Call ``switchesOn()`` next: events come only when a switch moves.
  ///
  /// - Parameters:
  ///   - path: The device node, such as `/dev/input/event3`.
  ///   - controls: Whose events are wanted.
  /// - Throws: ``InputDeviceError``; also if the kernel cannot filter, as other keys must not become known to this process.
  package init(path: String, listeningTo controls: InputControls) throws(InputDeviceError) {
    self.path = path
    self.controls = controls
    fileDescriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard fileDescriptor >= 0 else { throw InputDeviceError(code: errno, operation: "open", path: path) }
    try setMasks()
  }

  deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

  /// The switches that are on.
  ///
  /// The kernel drops the events of switches that it has queued until now, as this is newer.
  ///
  /// - Throws: ``InputDeviceError``
  package borrowing func switchesOn() throws(InputDeviceError) -> InputControls {
    var bits: UInt = 0
    guard linux_input_get_switches(fileDescriptor, &bits) >= 0 else {
      throw InputDeviceError(code: errno, operation: "EVIOCGSW", path: path)
    }
    var on: InputControls = []
    for inputSwitch in InputSwitch.allCases where bits >> UInt(inputSwitch.rawValue) & 1 == 1 {
      on.insert(inputSwitch.control)
    }
    return on
  }

  /// Reads a batch of events without waiting.
  ///
  /// Further events are read by the next calls.
  ///
  /// If the kernel had to drop events (SYN_DROPPED), the handler gets the positions of all switches instead of the events of
  /// switches in the rest of the batch, which are older.
  ///
  /// - Parameter handle: Called for each event, in order.
  /// - Throws: ``InputDeviceError/vanished(path:)`` when the device is gone; other errors of the kernel.
  package borrowing func readEvents(_ handle: (InputEvent) -> Void) throws(InputDeviceError) {
    // As many as the kernel keeps for a device such as these (EVDEV_MIN_BUFFER_SIZE in its drivers/input/evdev.c).
    var batch = InlineArray<64, input_event>(repeating: input_event())
    let count = withUnsafeMutableBytes(of: &batch) { read(fileDescriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count >= 0 else { throw InputDeviceError(code: errno, operation: "read", path: path) }
    // An input device has no end of file.
    guard count > 0 else { throw .vanished(path: path) }
    var wasDropped = false
    for index in 0..<(count / MemoryLayout<input_event>.stride) {
      let event = batch[index]
      if Int32(event.type) == EV_SYN, Int32(event.code) == SYN_DROPPED {
        wasDropped = true
      } else if let event = InputEvent(event), isDue(event, wasDropped: wasDropped) {
        handle(event)
      }
    }
    guard wasDropped else { return }
    let on = try switchesOn()
    for inputSwitch in InputSwitch.allCases where controls.contains(inputSwitch.control) {
      handle(.switched(inputSwitch, isOn: on.contains(inputSwitch.control)))
    }
  }

  private func isDue(_ event: InputEvent, wasDropped: Bool) -> Bool {
    switch event {
    case .switched(let inputSwitch, _): controls.contains(inputSwitch.control) && !wasDropped
    case .pressedRotateLockToggle: controls.contains(.rotateLockToggleKey)
    }
  }

  /// Limits what the kernel queues to the wanted controls, and to EV_SYN, which it does not filter.
  private borrowing func setMasks() throws(InputDeviceError) {
    var (types, switches, keys) = (EventMask(), EventMask(), EventMask())
    for inputSwitch in InputSwitch.allCases where controls.contains(inputSwitch.control) {
      types.insert(UInt16(EV_SW))
      switches.insert(inputSwitch.rawValue)
    }
    if controls.contains(.rotateLockToggleKey) {
      types.insert(UInt16(EV_KEY))
      keys.insert(UInt16(KEY_ROTATE_LOCK_TOGGLE))
    }
    // The types last: this mask stops all types but those whose codes are limited by now.
    try set(switches, forType: EV_SW)
    try set(keys, forType: EV_KEY)
    try set(types, forType: EV_SYN)
  }

  private borrowing func set(_ mask: EventMask, forType type: Int32) throws(InputDeviceError) {
    guard mask.apply(to: fileDescriptor, type: UInt32(type)) >= 0 else {
      throw InputDeviceError(code: errno, operation: "EVIOCSMASK", path: path)
    }
  }
}

extension InputEvent {
  /// What an event of the kernel means; nil if it is none of ours.
  fileprivate init?(_ event: input_event) {
    switch Int32(event.type) {
    case EV_SW:
      guard let inputSwitch = InputSwitch(rawValue: event.code) else { return nil }
      self = .switched(inputSwitch, isOn: event.value != 0)
    case EV_KEY:
      // 0 is the release and 2 the repetition.
      guard Int32(event.code) == KEY_ROTATE_LOCK_TOGGLE, event.value == 1 else { return nil }
      self = .pressedRotateLockToggle
    default: return nil
    }
  }
}
