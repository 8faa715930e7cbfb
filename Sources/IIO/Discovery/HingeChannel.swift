// SPDX-License-Identifier: Apache-2.0

extension IIODevice {
  /// The id of the channel that measures the angle of the machine's hinge; nil if it has none.
  ///
  /// Intel's hub also has the angles of screen and keyboard, with higher numbers.
  var hingeChannel: String? {
    guard DriverTrait(ofDevice: name) == .hinge else { return nil }
    return ["angl0", "angl"].first { inputChannel($0)?.has("raw") ?? false }
  }
}
