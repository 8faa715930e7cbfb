// SPDX-License-Identifier: Apache-2.0

// An accelerometer that is an input device (INPUT_PROP_ACCELEROMETER of the kernel's Documentation/input/event-codes.rst): its axes are
// ABS_X, ABS_Y and ABS_Z. Its driver sends an event only when an axis changes, so the axes are read when they are wanted, and no event
// is queued.

import CLinux

/// An accelerometer that is an input device, open for reading.
///
/// While it is open, its driver keeps it powered.
public struct InputAccelerometer: ~Copyable {
  /// What one g is in the counts of x, y and z; always more than 0.
  package let countsPerG: (x: Double, y: Double, z: Double)
  private let descriptor: CInt
  private let path: String

  /// Opens a device.
  ///
  /// - Parameter path: The device node, such as `/dev/input/event3`.
  /// - Throws: ``InputDeviceError``; also if the device has no axes.
  package init(path: String) throws(InputDeviceError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputDeviceError(code: errno, operation: "open", path: path) }
    do throws(InputDeviceError) {
      countsPerG = Self.countsPerG(
        x: try axisInfo(ABS_X, of: descriptor, path: path),
        y: try axisInfo(ABS_Y, of: descriptor, path: path),
        z: try axisInfo(ABS_Z, of: descriptor, path: path))
    } catch {
      close(descriptor)
      throw error
    }
    // If the kernel cannot do this (before Linux 4.4), it drops the events that nobody reads.
    _ = EventMask().apply(to: descriptor, type: UInt32(EV_SYN))
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Reads the present values of the axes, in counts.
  ///
  /// - Throws: ``InputDeviceError/vanished(path:)`` when the device is gone; other errors of the kernel.
  package borrowing func counts() throws(InputDeviceError) -> (x: Int32, y: Int32, z: Int32) {
    (
      try axisInfo(ABS_X, of: descriptor, path: path).value,
      try axisInfo(ABS_Y, of: descriptor, path: path).value,
      try axisInfo(ABS_Z, of: descriptor, path: path).value
    )
  }

  /// What one g is: the resolution of each axis; that of x for a z that the device does not have.
  ///
  /// If a resolution is missing or greater than the range, all three have the same estimate. Half of the longest range is one g of a
  /// chip that measures 2 g, as lis3lv02d does. Without a range, it is 256, which iio-sensor-proxy assumes of every device.
  static func countsPerG(
    x: input_absinfo, y: input_absinfo, z: input_absinfo
  ) -> (x: Double, y: Double, z: Double) {
    if let x = x.credibleResolution, let y = y.credibleResolution,
      let z = z.isAbsent ? x : z.credibleResolution
    {
      return (x, y, z)
    }
    let reach = max(x.reach, y.reach, z.reach)
    let estimate = reach > 0 ? reach / 2 : 256
    return (estimate, estimate, estimate)
  }
}

private func axisInfo(
  _ axis: CInt, of descriptor: CInt, path: String
) throws(InputDeviceError) -> input_absinfo {
  var info = input_absinfo()
  guard linux_input_get_axis(descriptor, UInt32(axis), &info) >= 0 else {
    throw InputDeviceError(code: errno, operation: "EVIOCGABS", path: path)
  }
  return info
}

extension input_absinfo {
  /// The largest number of counts in the axis' range.
  fileprivate var reach: Double { max(abs(Double(minimum)), abs(Double(maximum))) }

  /// Whether the device has no such axis: the kernel reads zeros of it.
  fileprivate var isAbsent: Bool { reach == 0 && resolution == 0 && value == 0 }

  /// The counts per g; nil without a resolution, and if the range would end below one g.
  fileprivate var credibleResolution: Double? {
    let counts = Double(resolution)
    return counts > 0 && (reach == 0 || counts <= reach) ? counts : nil
  }
}
