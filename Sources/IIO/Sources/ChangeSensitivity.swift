// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

// A HID sensor hub can be told to report only what differs from its last report by more than so much on some axis: its
// change sensitivity (HID Usage Tables, "Sensors"), which the kernel shows as `in_accel_hysteresis` in units of standard
// gravity. A tablet that lies still then wakes nobody. Other operating systems set it too, so firmware knows it well.

/// The change sensitivity of a sensor hub.
///
/// Made when the source is opened, and a class because a source may have none: asked for at a rest, never per sample.
final class ChangeSensitivity {
  /// What is set, in units of standard gravity: what passes for rest at the least.
  private static let fine = Rest.leastTolerance / standardGravity
  /// What is set where that would be within the noise, and kept where the firmware came with it, in units of standard gravity: it
  /// hides 4 degrees.
  private static let coarsest = 0.05

  private let settings: OwnSettings
  private let path: String
  private let original: Double
  private var value: Double
  /// What was set so far at the most.
  private var asked = 0.0
  private var isSet = false
  private var isRefused = false

  /// Whether the hub keeps silent while nothing changes.
  var isInEffect: Bool { value > 0 }

  /// Looks at what the hub has; nil where it has none.
  ///
  /// - Parameters:
  ///   - device: the hub's device, of which nothing was set yet.
  ///   - settings: give the sensitivity back at the end, once ``keep()`` was called.
  init?(of device: IIODevice, keptBy settings: OwnSettings) {
    guard let channel = device.inputChannel(Axis.x.channel),
      let value = (try? channel.number("hysteresis")) ?? nil, value >= 0
    else { return nil }
    self.settings = settings
    path = channel.path(of: "hysteresis")
    original = value
    self.value = value
  }

  /// Has the settings keep what it is now.
  func keep() { settings.keep(file: path) }

  /// Has the hub report changes only; false where it does not.
  ///
  /// To be called while the tablet is at rest: a slow hub takes its time for it. It stays so until the source is closed.
  ///
  /// - Parameter tolerance: what passes for noise, in m/s^2.
  /// - Returns: whether it does.
  func reportChangesOnly(beyond tolerance: Double) -> Bool {
    let wanted = tolerance > 1.5 * Rest.leastTolerance ? Self.coarsest : Self.fine
    guard !isRefused, wanted > asked, value < wanted || value > Self.coarsest else { return isInEffect }
    asked = wanted
    isSet = settings.change(file: path, to: "\(wanted)") == 0
    isRefused = !isSet
    guard isSet else { return isInEffect }
    // A hub with coarser steps may have made nothing of it.
    value = (try? AttributeFile(path: path).number()) ?? 0
    if !isInEffect { giveUp() }
    return isInEffect
  }

  /// Takes the sensitivity back, unless another program has set one since: the hub does not heed it.
  func giveUp() {
    isRefused = true
    value = 0
    if isSet { _ = settings.change(file: path, to: "\(original)") }
    isSet = false
  }
}
