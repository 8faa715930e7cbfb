// SPDX-License-Identifier: Apache-2.0

// A device has one buffer, and who sets it up anew takes it from whoever has it: iio-sensor-proxy opens it for each reading
// only, so the kernel refuses nobody. So a buffer that is on before it was set up here is somebody else's, and is left exactly
// as it is, with all that goes with it; the sensor is polled beside it.

extension IIODevice {
  /// Whether the buffer is on.
  var isBufferOn: Bool { shortText(ofFile: "\(directory)/\(OwnSettings.enable)") == "1" }

  /// Whether somebody else has the buffer.
  ///
  /// Where `neighbour` is known not to run, one that is on is nobody's as long as no process has the node open.
  func isBufferTaken(beside neighbour: Neighbour?) -> Bool {
    if isBufferOn, neighbour?.isThere ?? true { return true }
    return isHeld(node: "/dev/\(id)")
  }

  /// The error for a buffer that somebody else has.
  var bufferIsTaken: SourceError { .busy(device: displayName, holder: holder(of: "/dev/\(id)")) }
}
