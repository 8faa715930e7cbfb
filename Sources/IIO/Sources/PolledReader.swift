// SPDX-License-Identifier: Apache-2.0

import Evdev
import Orientation

/// What a polled sensor is read through.
@usableFromInline  // for its deinit, as AttributeFile
enum PolledReader: ~Copyable {
  /// The attributes of an IIO device.
  case attributes(PolledAxes)
  /// The axes of an input device.
  case input(InputAxes)
  /// The attributes of a device of another machine.
  case remote(RemoteAxes)

  /// Reads all three axes, m/s^2.
  borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    switch self {
    case .attributes(let axes): return try axes.acceleration()
    case .input(let axes): return try axes.acceleration()
    case .remote(let axes): return try axes.acceleration()
    }
  }

  /// Reads as few axes as show whether the tablet is at rest.
  borrowing func acceleration(leaving rest: Rest) throws(SourceError) -> Acceleration<SensorFrame> {
    // The kernel has the values of an input device in its memory: to read them all costs nothing. Nor does a rest of another
    // machine's sensor save power.
    switch self {
    case .attributes(let axes): return try axes.acceleration(leaving: rest)
    default: return try acceleration()
    }
  }
}

/// The axes of an accelerometer that is an input device.
@usableFromInline  // for its deinit, as AttributeFile
struct InputAxes: ~Copyable {
  /// How counts become m/s^2.
  let scales: SensorScales
  private let device: InputAccelerometer
  private let name: String

  /// Opens a sensor.
  ///
  /// - Throws: ``SourceError``: `vanished` if it is gone, also if another device has its node now; `permissionDenied`.
  init(of sensor: SensorDescription) throws(SourceError) {
    device = try InputAccelerometer.open(sensor)
    name = sensor.displayName
    let counts = device.countsPerG
    scales = SensorScales(
      x: ChannelScale(offset: 0, scale: standardGravity / counts.x),
      y: ChannelScale(offset: 0, scale: standardGravity / counts.y),
      z: ChannelScale(offset: 0, scale: standardGravity / counts.z))
  }

  /// Reads the axes.
  borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    do throws(InputDeviceError) {
      let counts = try device.counts()
      return Acceleration(
        x: scales.x.value(raw: Double(counts.x)), y: scales.y.value(raw: Double(counts.y)),
        z: scales.z.value(raw: Double(counts.z)))
    } catch {
      throw SourceError(error, device: name)
    }
  }
}

extension InputAccelerometer {
  fileprivate static func open(_ sensor: SensorDescription) throws(SourceError) -> InputAccelerometer {
    do throws(InputDeviceError) {
      let device = try InputAccelerometer(path: sensor.node)
      // After the node was opened: as long as the sensor is there, its node is its own.
      guard !sensor.isGone else { throw InputDeviceError.vanished(path: sensor.node) }
      return device
    } catch {
      throw SourceError(error, device: sensor.displayName)
    }
  }
}

extension SourceError {
  /// The error for an input device that cannot be opened or read.
  fileprivate init(_ error: InputDeviceError, device: String) {
    switch error {
    case .vanished: self = .vanished(device: device)
    case .permissionDenied(let path): self = .permissionDenied(path: path)
    case .system(let operation, let path, let code):
      self = .system(operation: "\(operation) \(path)", code: code)
    }
  }
}
