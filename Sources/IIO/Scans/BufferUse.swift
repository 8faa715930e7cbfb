// SPDX-License-Identifier: Apache-2.0

// A device has one buffer, and a program that sets it up takes it from the program that uses it. The kernel does not
// prevent this, because iio-sensor-proxy opens the buffer only for each reading. So a buffer that is enabled before it is
// set up here belongs to another program: it and its settings are left as they are, and the sensor is polled.

extension IIODevice {
  /// Whether the buffer is enabled.
  var isBufferOn: Bool { shortText(ofFile: "\(directory)/\(OwnSettings.enable)") == "1" }

  /// Whether another program uses the buffer.
  ///
  /// If `neighbour` is known not to run, an enabled buffer is unused as long as no process has the node open.
  func isBufferTaken(beside neighbour: Neighbour?) -> Bool {
    if isBufferOn, neighbour?.isThere ?? true { return true }
    return isHeld(node: "/dev/\(id)")
  }

  /// The error for a buffer that another program uses.
  var bufferIsTaken: SourceError { .busy(device: displayName, holder: holder(of: "/dev/\(id)")) }
}
