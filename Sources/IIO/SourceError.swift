// SPDX-License-Identifier: Apache-2.0

/// Why a source of samples cannot be opened or cannot go on.
public enum SourceError: Error, Equatable {
  /// The device is gone: unplugged, or its driver unbound (ENODEV).
  case vanished(device: String)
  /// The sensor delivered nothing for this many seconds.
  case silent(device: String, seconds: Double)
  /// The permissions of this file or device do not allow it (EACCES, EPERM).
  case permissionDenied(path: String)
  /// Somebody else holds the device's buffer (EBUSY).
  case busy(device: String)
  /// An attribute that is needed does not exist.
  case missingAttribute(path: String)
  /// An attribute or a file holds something other than what it must; `reason` says what was expected.
  case malformed(path: String, text: String, reason: String)
  /// A line of a recording is wrong; `reason` says what was expected.
  case malformedRecording(path: String, line: Int, reason: String)
  /// The device has no way to deliver samples continuously (no buffer, or no trigger that it accepts).
  case noBuffer(device: String, reason: String)
  /// A system call or library call failed with this errno.
  case system(operation: String, code: CInt)
}
