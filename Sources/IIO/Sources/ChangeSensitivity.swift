// SPDX-License-Identifier: Apache-2.0

import Orientation

// A HID sensor hub can be set to report only values that differ from its last report on some axis by more than its change
// sensitivity (HID Usage Tables, "Sensors"). The kernel shows this as `in_accel_hysteresis` in units of standard gravity.
// Then a tablet that lies still causes no wakeups. Other operating systems set it too, so firmware supports it well.

/// The change sensitivity of a sensor hub.
///
/// It is created when the source is opened. It is a class because a source may have none: it is used at the start of a
/// rest, never per sample.
final class ChangeSensitivity {
  /// The value that is set, in units of standard gravity: the least tolerance of a rest.
  private static let fine = Rest.leastTolerance
  /// The value that is set if the usual one would be within the noise, in units of standard gravity; a value of the
  /// firmware up to this is kept.
  ///
  /// It hides 4 degrees.
  private static let coarsest = 0.05

  private let settings: OwnSettings
  private let file: String
  private let original: Double
  private var value: Double
  /// The largest value that was set until now.
  private var asked = 0.0
  private var isSet = false
  private var isRefused = false

  /// Whether the hub is silent while nothing changes.
  var isInEffect: Bool { value > 0 }

  /// Reads the hub's sensitivity; nil if it has none.
  ///
  /// - Parameters:
  ///   - device: the hub's device, on which nothing was set yet.
  ///   - quantity: what it measures; the sensitivity of a gyroscope is only read.
  ///   - settings: restore the sensitivity at the end, if ``keep()`` was called.
  init?(
    of device: IIODevice, measuring quantity: AxisQuantity = .acceleration, keptBy settings: OwnSettings
  ) {
    guard let channel = device.inputChannel(Axis.x.channel(of: quantity)),
      let file = channel.file(of: "hysteresis"), let value = settings.number(file), value >= 0
    else { return nil }
    self.settings = settings
    self.file = file
    original = value
    self.value = value
  }

  /// Stores the present value in the settings.
  func keep() { settings.keep(file) }

  /// Makes the hub report only changes.
  ///
  /// Call it while the tablet is at rest, because a slow hub takes time for it. It remains in effect until ``restore()``, or until the
  /// source is closed.
  ///
  /// - Parameter tolerance: the limit of noise, in m/s^2.
  /// - Returns: whether the hub does so.
  func reportChangesOnly(beyond tolerance: Double) -> Bool {
    let wanted = tolerance > 1.5 * Rest.leastTolerance * standardGravity ? Self.coarsest : Self.fine
    guard !isRefused, wanted > asked, value < wanted || value > Self.coarsest else { return isInEffect }
    asked = wanted
    isSet = settings.change(file, to: "\(wanted)") == 0
    isRefused = !isSet
    guard isSet else { return isInEffect }
    // A hub with coarser steps may have rounded it to zero.
    value = settings.number(file) ?? 0
    if !isInEffect { giveUp() }
    return isInEffect
  }

  /// Restores the sensitivity, unless another program has set one since; the next rest may set it again.
  func restore() {
    guard isSet else { return }
    _ = settings.change(file, to: "\(original)")
    (isSet, asked) = (false, 0)
    value = settings.number(file) ?? 0
  }

  /// Restores the sensitivity, unless another program has set one since: the hub ignores it.
  func giveUp() {
    isRefused = true
    value = 0
    if isSet { _ = settings.change(file, to: "\(original)") }
    isSet = false
  }
}
