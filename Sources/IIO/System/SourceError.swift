// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a source of samples cannot be opened or cannot continue.
package enum SourceError: Error, Equatable, CustomStringConvertible {
  /// None of these devices is an accelerometer of the display; the list is empty on a machine without IIO and such input devices.
  case noAccelerometer(devices: [String])
  /// No accelerometer has this id, name, label or sysfs path; `available` lists the present ones.
  case noSuchSensor(wanted: String, available: [String])
  /// The requested device does not have three axes; `available` lists the present accelerometers.
  case notAnAccelerometer(device: String, available: [String])
  /// Several accelerometers have this name, label or path.
  case ambiguousSensor(wanted: String, matching: [String])
  /// The device is gone: unplugged, or its driver unbound (ENODEV).
  case vanished(device: String)
  /// iiod on this machine cannot be used; `reason` says why.
  case unreachable(host: String, reason: String)
  /// The recording cannot be replayed; `reason` says why, with its path.
  case unreadableRecording(reason: String)
  /// The sensor delivered nothing for this many seconds.
  case silent(device: String, seconds: Double)
  /// For this many seconds, the sensor delivered only a constant that is not gravity (``SignsOfLife``).
  case noGravity(device: String, seconds: Double)
  /// The permissions of this file or device do not allow it (EACCES, EPERM).
  case permissionDenied(path: String)
  /// Another program uses the device's buffer (EBUSY); `holder` names it, if this process may see it.
  case busy(device: String, holder: String? = nil)
  /// Another program uses the device's buffer, and the driver refuses to read its attributes meanwhile (EBUSY).
  case refusedBesideBuffer(device: String)
  /// The buffer that another program used is free: not a failure, but a reason to open the sensor again.
  case bufferIsFree(device: String)
  /// A required attribute does not exist.
  case missingAttribute(path: String)
  /// An attribute or a file has an invalid value; `reason` says what was expected.
  case malformed(path: String, text: String, reason: String)
  /// A line of a recording is wrong; `reason` says what was expected.
  case malformedRecording(path: String, line: Int, reason: String)
  /// The device cannot deliver samples continuously (it has no buffer, or accepts no trigger).
  case noBuffer(device: String, reason: String)
  /// A system call or library call failed with this errno.
  case system(operation: String, code: CInt)

  /// The error for an errno that occurred with `subject`, a device or the path of one of its files.
  init(code: CInt, subject: String, operation: String) {
    switch code {
    case ENODEV, ENXIO: self = .vanished(device: subject)
    case EACCES, EPERM: self = .permissionDenied(path: subject)
    case EBUSY: self = .busy(device: subject)
    case ENOENT: self = .missingAttribute(path: subject)
    default: self = .system(operation: "\(operation) \(subject)", code: code)
    }
  }

  private static func list(_ available: [String]) -> String {
    switch available.count {
    case 0: "no accelerometer is available"
    case 1: "available is \(available[0])"
    default: "available are \(available.joined(separator: ", "))"
    }
  }

  /// One sentence for the journal or a terminal, with the device or file and the problem.
  package var description: String {
    switch self {
    case .noAccelerometer(let devices) where devices.isEmpty:
      "no accelerometer: the kernel shows no IIO device"
    case .noAccelerometer(let devices):
      "no usable accelerometer among the devices: \(devices.joined(separator: ", "))"
    case .noSuchSensor(let wanted, let available):
      "no sensor \"\(wanted)\": \(Self.list(available))"
    case .notAnAccelerometer(let device, let available):
      "\(device) is not an accelerometer with the axes x, y and z: \(Self.list(available))"
    case .ambiguousSensor(let wanted, let matching):
      "several sensors match \"\(wanted)\": \(matching.joined(separator: ", ")); "
        + "use a label that only one has, a path, or NAME#2 for the second of that name"
    case .vanished(let device): "\(device): the device is gone"
    case .unreachable(let host, let reason): "iiod at \(host): \(reason)"
    case .unreadableRecording(let reason): "the recording cannot be read: \(reason)"
    case .silent(let device, let seconds): "\(device): no sample in \(seconds) s"
    case .noGravity(let device, let seconds):
      "\(device): only a constant that is not gravity for \(seconds) s"
    case .permissionDenied(let path): "\(path): permission denied"
    case .busy(let device, let holder): "\(device): in use by \(holder ?? "another program")"
    case .refusedBesideBuffer(let device):
      "\(device): another program uses its buffer, and the driver refuses reads meanwhile"
    case .bufferIsFree(let device): "\(device): its buffer is free"
    case .missingAttribute(let path): "\(path): does not exist"
    case .malformed(let path, let text, let reason): "\(path): \"\(text)\": \(reason)"
    case .malformedRecording(let path, let line, let reason): "\(path):\(line): \(reason)"
    case .noBuffer(let device, let reason): "\(device): no buffered samples: \(reason)"
    case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
    }
  }
}
