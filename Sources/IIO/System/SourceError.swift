// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a source of samples cannot be opened or cannot go on.
public enum SourceError: Error, Equatable {
  /// None of these IIO devices is an accelerometer of the display; the list is empty on a machine without IIO.
  case noAccelerometer(devices: [String])
  /// No accelerometer has this id, name, label or sysfs path; `available` lists those there are.
  case noSuchSensor(wanted: String, available: [String])
  /// The device that was asked for has no three axes; `available` lists the accelerometers there are.
  case notAnAccelerometer(device: String, available: [String])
  /// Several accelerometers have this name, label or path.
  case ambiguousSensor(wanted: String, matching: [String])
  /// The device is gone: unplugged, or its driver unbound (ENODEV).
  case vanished(device: String)
  /// There is no talking to iiod on this machine; `reason` says why.
  case unreachable(host: String, reason: String)
  /// The sensor delivered nothing for this many seconds.
  case silent(device: String, seconds: Double)
  /// The sensor delivered nothing for this many seconds but a constant that is no gravity (``SignsOfLife``).
  case noGravity(device: String, seconds: Double)
  /// The permissions of this file or device do not allow it (EACCES, EPERM).
  case permissionDenied(path: String)
  /// Somebody else holds the device's buffer (EBUSY); `holder` says who, where that may be seen.
  case busy(device: String, holder: String? = nil)
  /// Somebody else has the device's buffer, and the driver does not let its attributes be read meanwhile (EBUSY).
  case refusedBesideBuffer(device: String)
  /// The buffer that somebody else had is free: no failure, but a reason to open the sensor anew.
  case bufferIsFree(device: String)
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

  /// The error that an errno means where `subject`, a device or the path of one of its files, was used.
  init(code: CInt, subject: String, operation: String) {
    switch code {
    case ENODEV, ENXIO: self = .vanished(device: subject)
    case EACCES, EPERM: self = .permissionDenied(path: subject)
    case EBUSY: self = .busy(device: subject)
    case ENOENT: self = .missingAttribute(path: subject)
    default: self = .system(operation: "\(operation) \(subject)", code: code)
    }
  }
}

extension SourceError: CustomStringConvertible {
  private static func list(_ sensors: [String]) -> String {
    sensors.isEmpty ? "no accelerometer at all" : sensors.joined(separator: ", ")
  }

  /// One sentence for the journal or a terminal, naming the device or file and what is wrong.
  public var description: String {
    switch self {
    case .noAccelerometer(let devices) where devices.isEmpty:
      "no accelerometer: the kernel shows no IIO device"
    case .noAccelerometer(let devices):
      "no usable accelerometer among the IIO devices: \(devices.joined(separator: ", "))"
    case .noSuchSensor(let wanted, let available):
      "no sensor \"\(wanted)\": there is \(Self.list(available))"
    case .notAnAccelerometer(let device, let available):
      "\(device) is no accelerometer with the axes x, y and z: there is \(Self.list(available))"
    case .ambiguousSensor(let wanted, let matching):
      "more than one sensor \"\(wanted)\": \(Self.list(matching)); write a label that only one has, or a path"
    case .vanished(let device): "\(device): the device is gone"
    case .unreachable(let host, let reason): "iiod at \(host): \(reason)"
    case .silent(let device, let seconds): "\(device): no sample in \(seconds) s"
    case .noGravity(let device, let seconds):
      "\(device): nothing but a constant that is no gravity in \(seconds) s"
    case .permissionDenied(let path): "\(path): permission denied"
    case .busy(let device, let holder): "\(device): in use by \(holder ?? "another program")"
    case .refusedBesideBuffer(let device):
      "\(device): another program has its buffer, and the driver does not let it be read beside that"
    case .bufferIsFree(let device): "\(device): its buffer is free"
    case .missingAttribute(let path): "\(path): does not exist"
    case .malformed(let path, let text, let reason): "\(path): \"\(text)\": \(reason)"
    case .malformedRecording(let path, let line, let reason): "\(path):\(line): \(reason)"
    case .noBuffer(let device, let reason): "\(device): no buffered samples: \(reason)"
    case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
    }
  }
}
