// SPDX-License-Identifier: Apache-2.0

import Orientation
import Synchronization

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

/// What is known about iio-sensor-proxy, the program with which the daemon shares a tablet's sensors.
///
/// Older versions leave a buffer enabled when they end, and other programs cannot distinguish it from one in use.
package final class Neighbour: Sendable {
  private let mayBeThere = Atomic<Bool>(true)

  /// Creates one that may be running, until ``become(isThere:)`` is called.
  package init() {}

  /// Whether it runs; also true while that is not known.
  package var isThere: Bool { mayBeThere.load(ordering: .relaxed) }

  /// Stores whether it runs.
  package func become(isThere: Bool) {
    mayBeThere.store(isThere, ordering: .relaxed)
  }
}

/// The buffer of a device that is polled because another program uses the buffer.
struct TakenBuffer {
  /// How often the buffer is checked, in seconds, when the sensor is read anyway.
  static let lookPeriod = 5.0

  private let device: IIODevice
  private let neighbour: Neighbour?
  private var nextLook: BootTime

  /// Checks whether another program uses the buffer; nil if none does.
  init?(of device: IIODevice, beside neighbour: Neighbour?) {
    guard device.isBufferTaken(beside: neighbour) else { return nil }
    (self.device, self.neighbour) = (device, neighbour)
    nextLook = BootTime.now.advanced(bySeconds: Self.lookPeriod)
  }

  /// Checks from time to time whether the buffer has become free.
  ///
  /// - Throws: ``SourceError/bufferIsFree(device:)``; never without a neighbour.
  @inline(__always)
  mutating func checkWhetherFree(at now: BootTime) throws(SourceError) {
    guard now >= nextLook, let neighbour else { return }
    nextLook = now.advanced(bySeconds: Self.lookPeriod)
    if !device.isBufferTaken(beside: neighbour) { throw .bufferIsFree(device: device.displayName) }
  }

  /// The error for a failed read: some drivers refuse reads while the buffer is enabled (`iio_device_claim_direct_mode` in
  /// the kernel).
  func explaining(_ error: SourceError) -> SourceError {
    if case .busy = error { .refusedBesideBuffer(device: device.displayName) } else { error }
  }
}
