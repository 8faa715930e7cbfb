// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

/// The events with which an accelerometer reports that it was moved (IIO's `events` folder), through an interrupt of the chip.
///
/// Only events that compare a reading with an earlier one are used: a threshold for the reading itself, which other chips have,
/// is exceeded by gravity all the time.
final class MotionEvents {
  /// A kind of such events, by the attributes that drivers have for it.
  ///
  /// Units and behaviour are from the drivers' sources (Linux 6.1 and 6.12).
  fileprivate struct Kind {
    /// The attributes that switch it on, one for each axis or one for all.
    var switches: [String]
    /// The attribute of the threshold, which must exist, and its value; nil keeps the driver's.
    var threshold: (attribute: String, value: String)?
    /// An attribute that distinguishes the kind from others with the same names; nil if there are none.
    var sign: String?
    /// How the names of the devices begin; nil if the attributes are enough.
    var name: String?
    /// Whether switching it on sets the threshold, which must then be set afterwards.
    var resetsThreshold = false
  }

  private static let kinds = [
    // kxcjk-1013: 62.5 mg, between readings one period of the sampling frequency apart. st_lsm6dsx: 31.25 mg at 2 g, half of
    // the difference of two readings. Others with these names (fxls8962af) have no common threshold.
    Kind(
      switches: perAxis("thresh_either_en"), threshold: ("events/in_accel_x_thresh_either_value", "1")),
    // bmc150: the driver does not pass the threshold on, and the chip's is 7.8 mg at 4 g.
    Kind(switches: perAxis("roc_either_en")),
    // mma8452 with a high-pass filter: 63 mg. Without one, the event compares the reading itself.
    Kind(
      switches: perAxis("mag_rising_en"), threshold: ("events/in_accel_mag_rising_value", "1"),
      sign: "events/in_accel_mag_rising_high_pass_filter_3db"),
    // bma400: 8 mg each, from the position of the last event. bmi323: in g, likewise.
    Kind(
      switches: ["events/in_accel_mag_rising_en"], threshold: ("events/in_accel_mag_rising_value", "6"),
      name: "bma400", resetsThreshold: true),
    Kind(
      switches: ["events/in_accel_mag_rising_en"], threshold: ("events/in_accel_mag_rising_value", "0.05"),
      name: "bmi323", resetsThreshold: true),
  ]

  private static func perAxis(_ event: String) -> [String] {
    Axis.allCases.map { "events/in_\($0.channel)_\(event)" }
  }

  /// Readable when there is an event.
  let descriptor: CInt

  private let kind: Kind
  private let directory: String
  private let settings: OwnSettings

  /// Finds the events of a device; nil if it has none that can be used, or another program uses them.
  ///
  /// - Parameters:
  ///   - device: a device of this machine.
  ///   - node: the open node of the device.
  ///   - settings: store what is set, and restore it at the end.
  init?(of device: IIODevice, node: CInt, keptBy settings: OwnSettings) {
    let directory = device.directory
    guard
      let kind = Self.kinds.first(where: { $0.fits(name: device.name ?? "", directory: directory) }),
      Self.hasInterrupt(directory)
    else { return nil }
    let descriptor = iio_event_descriptor(node)
    guard descriptor >= 0 else { return nil }
    (self.descriptor, self.kind, self.directory, self.settings) = (descriptor, kind, directory, settings)
  }

  deinit { close(descriptor) }

  /// Whether the chip has an interrupt: then its driver has registered a trigger beside the device.
  ///
  /// The events exist without one, too.
  private static func hasInterrupt(_ directory: String) -> Bool {
    guard let path = canonicalPath(directory) else { return false }
    return namesOfFiles(in: String(parentDirectory(of: path))).contains { $0.hasPrefix("trigger") }
  }

  /// Whether no other program has switched them on.
  var areFree: Bool { kind.switches.allSatisfy { shortText(ofFile: "\(directory)/\($0)") == "0" } }

  /// Waits with the events switched on.
  ///
  /// - Parameter wait: the wait.
  /// - Returns: its result; nil if the events cannot be switched on.
  /// - Throws: the error of the wait.
  func whileArmed<Result>(_ wait: () throws(SourceError) -> Result?) throws(SourceError) -> Result? {
    defer { disarm() }
    return arm() ? try wait() : nil
  }

  private func arm() -> Bool {
    guard kind.resetsThreshold || setThreshold() else { return false }
    // Many drivers have one switch behind these attributes, and some count how often it was switched on.
    for attribute in kind.switches where shortText(ofFile: "\(directory)/\(attribute)") == "0" {
      guard settings.set(attribute, to: "1") == 0 else { return false }
    }
    guard !kind.resetsThreshold || setThreshold() else { return false }
    _ = takeEvents()
    return true
  }

  private func disarm() {
    for attribute in kind.switches where shortText(ofFile: "\(directory)/\(attribute)") == "1" {
      _ = settings.set(attribute, to: "0")
    }
  }

  private func setThreshold() -> Bool {
    guard let (attribute, value) = kind.threshold else { return true }
    return shortText(ofFile: "\(directory)/\(attribute)") == value || settings.set(attribute, to: value) == 0
  }

  /// What the chip has reported.
  enum Report {
    case motion
    case nothing
    /// The driver is gone.
    case end
  }

  /// Reads the events that have come; which axis has moved makes no difference.
  func takeEvents() -> Report {
    var events: InlineArray<32, Int64> = .init(repeating: 0)
    let count = withUnsafeMutableBytes(of: &events) { read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return .motion }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }
}

extension MotionEvents.Kind {
  /// Whether a device has these events.
  fileprivate func fits(name: String, directory: String) -> Bool {
    let needed = switches + [threshold?.attribute, sign].compactMap { $0 }
    return (self.name.map { name.hasPrefix($0) } ?? true)
      && needed.allSatisfy { shortText(ofFile: "\(directory)/\($0)") != nil }
  }
}
