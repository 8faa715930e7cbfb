// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

/// The events with which an accelerometer reports that it was moved (IIO's `events` folder), through an interrupt of the chip.
///
/// Only events that compare a reading with the one before are used: a threshold for the reading itself, which other chips have, is
/// exceeded by gravity all the time.
final class MotionEvents {
  /// A kind of such events, by the attributes that drivers have for it.
  ///
  /// Units and behaviour are from the drivers' sources (Linux 6.1 and 6.12).
  private struct Kind {
    /// Switches it on.
    ///
    /// Each axis has one, but the drivers have one switch behind all of them.
    var enable: String
    /// The threshold, which must exist, and its value; nil keeps the driver's.
    var threshold: (attribute: String, value: String)?

    /// Whether a device has these events.
    func exists(in directory: String) -> Bool {
      [enable, threshold?.attribute].compactMap { $0 }
        .allSatisfy { shortText(ofFile: "\(directory)/\($0)") != nil }
    }
  }

  private static let kinds = [
    // kxcjk-1013, and kmx61: 62.5 mg, the least, between readings that are a period of the sampling frequency apart.
    Kind(
      enable: "events/in_accel_x_thresh_either_en", threshold: ("events/in_accel_x_thresh_either_value", "1")),
    // bmc150: the driver does not pass the threshold on to the chip, whose own is 7.8 mg at 4 g.
    Kind(enable: "events/in_accel_x_roc_either_en"),
  ]

  /// Readable when there is an event; negative while they are switched off.
  ///
  /// It is open only then: other programs may want the events, and the driver refuses another clock for its time stamps meanwhile.
  private(set) var descriptor: CInt = -1

  private let kind: Kind
  private let settings: OwnSettings

  /// Finds the events of a device of this machine; nil if it has none that can be used.
  init?(of device: IIODevice, keptBy settings: OwnSettings) {
    let directory = device.directory
    guard let kind = Self.kinds.first(where: { $0.exists(in: directory) }), Self.hasInterrupt(directory)
    else {
      return nil
    }
    (self.settings, self.kind) = (settings, kind)
  }

  deinit { closeDescriptor() }

  /// Whether the chip has an interrupt: then its driver has registered a trigger beside the device.
  ///
  /// The events exist without one, too.
  private static func hasInterrupt(_ directory: String) -> Bool {
    guard let path = canonicalPath(directory) else { return false }
    return namesOfFiles(in: String(parentDirectory(of: path))).contains { $0.hasPrefix("trigger") }
  }

  /// Whether no other program has switched them on.
  var areFree: Bool { settings.present(kind.enable) == "0" }

  /// Switches the events on, by the open node of the device; false if that is not possible, or another program reads them.
  func arm(node: CInt) -> Bool {
    descriptor = iio_event_descriptor(node)
    guard descriptor >= 0 else { return false }
    if let (threshold, value) = kind.threshold, settings.present(threshold) != value {
      guard settings.set(threshold, to: value) == 0 else { return false }
    }
    return settings.set(kind.enable, to: "1") == 0
  }

  /// Switches the events off.
  func disarm() {
    closeDescriptor()
    _ = settings.set(kind.enable, to: "0")
  }

  /// Ends the use of the events without a change of the device.
  func closeDescriptor() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// What the chip has reported.
  enum Report {
    case motion
    case nothing
    /// The driver is gone.
    case gone
  }

  /// Reads the events that have come; which axis has moved makes no difference.
  func takeEvents() -> Report {
    var events: InlineArray<32, Int64> = .init(repeating: 0)
    let count = withUnsafeMutableBytes(of: &events) { read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return .motion }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .gone
  }
}
