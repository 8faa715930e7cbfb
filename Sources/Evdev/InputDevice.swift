// SPDX-License-Identifier: Apache-2.0

// An open input device (Linux evdev). Two ioctls and read(2) are all that a switch needs: libevdev would map another
// library and keep the whole state of every device in memory for what is a page of code here.
//
// The kernel filters for us (EVIOCSMASK): a device that is a keyboard besides neither wakes this process for its other
// keys nor shows it any.

import CLinux

/// What somebody did to a device.
public enum InputEvent: Equatable, Sendable {
  /// A switch is at this position now; it may have been there before.
  case switched(InputSwitch, SwitchPosition)
  /// A key went down. Its repetition and its release are not told.
  case pressed(InputKey)
}

/// An input device, open for reading.
public struct InputDevice: ~Copyable {
  /// How many events one call of ``readEvents(_:)`` takes at most.
  ///
  /// As many as the kernel keeps for a device such as these (EVDEV_MIN_BUFFER_SIZE in its drivers/input/evdev.c).
  public static let batchSize = 64

  /// Readable while there are events, and once the device is gone; for an event loop.
  public let fileDescriptor: CInt
  private let path: String
  private let controls: InputControls

  /// Opens a device, and has the kernel tell it of these controls only.
  ///
  /// Read ``switchPositions()`` next: the kernel tells movements only.
  ///
  /// - Parameters:
  ///   - path: The device node, such as `/dev/input/event3`.
  ///   - controls: What to hear of.
  /// - Throws: ``InputDeviceError``; also where the kernel cannot filter, as other keys must not be seen.
  public init(path: String, listeningTo controls: InputControls) throws(InputDeviceError) {
    self.path = path
    self.controls = controls
    fileDescriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard fileDescriptor >= 0 else { throw InputDeviceError(code: errno, operation: "open", path: path) }
    try setMasks()
  }

  deinit { if fileDescriptor >= 0 { close(fileDescriptor) } }

  /// Where the switches are now.
  ///
  /// What the kernel has queued of switches until now is dropped, as this is newer.
  ///
  /// - Throws: ``InputDeviceError``
  public borrowing func switchPositions() throws(InputDeviceError) -> SwitchPositions {
    var bits: UInt = 0
    guard linux_input_get_switches(fileDescriptor, &bits) >= 0 else {
      throw InputDeviceError(code: errno, operation: "EVIOCGSW", path: path)
    }
    return SwitchPositions(bits: bits)
  }

  /// Reads a batch of events without waiting; a device that floods has the rest read in the calls that follow.
  ///
  /// Where the kernel had to drop events (SYN_DROPPED), the positions of all switches are told anew instead of the
  /// rest of the batch, whose events of switches are older than that.
  ///
  /// - Parameter handle: Called for each event, in order.
  /// - Throws: ``InputDeviceError/vanished(path:)`` once the device is gone, and what else the kernel refuses.
  public borrowing func readEvents(_ handle: (InputEvent) -> Void) throws(InputDeviceError) {
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
    let positions = try switchPositions()
    for inputSwitch in InputSwitch.allCases where controls.contains(inputSwitch) {
      handle(.switched(inputSwitch, positions[inputSwitch]))
    }
  }

  private func isDue(_ event: InputEvent, wasDropped: Bool) -> Bool {
    switch event {
    case .switched(let inputSwitch, _): controls.contains(inputSwitch) && !wasDropped
    case .pressed(let key): controls.contains(key)
    }
  }

  /// Lets the kernel queue nothing but the controls listened to, and EV_SYN, which it does not filter.
  private borrowing func setMasks() throws(InputDeviceError) {
    var (types, switches, keys) = (EventMask(), EventMask(), EventMask())
    for inputSwitch in InputSwitch.allCases where controls.contains(inputSwitch) {
      types.insert(UInt16(EV_SW))
      switches.insert(inputSwitch.rawValue)
    }
    for key in InputKey.allCases where controls.contains(key) {
      types.insert(UInt16(EV_KEY))
      keys.insert(key.rawValue)
    }
    // The types last: it is what lets nothing pass that the others have not narrowed down.
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
  /// What an event of the kernel means; nil where it is none of ours.
  fileprivate init?(_ event: input_event) {
    switch Int32(event.type) {
    case EV_SW:
      guard let inputSwitch = InputSwitch(rawValue: event.code) else { return nil }
      self = .switched(inputSwitch, event.value == 0 ? .off : .on)
    case EV_KEY:
      // 0 is the release and 2 the repetition.
      guard let key = InputKey(rawValue: event.code), event.value == 1 else { return nil }
      self = .pressed(key)
    default: return nil
    }
  }
}
