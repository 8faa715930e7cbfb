// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The buffer of a device that is polled because another program uses the buffer.
struct TakenBuffer {
  /// How often the buffer is checked, in seconds, when the sensor is read anyway.
  static let lookPeriod = 5.0

  private let device: String
  private let switchPath: String
  private let node: String
  private let neighbour: Neighbour?
  private var nextLook: BootTime

  /// Checks whether another program uses the buffer; nil if none does.
  init?(of device: IIODevice, beside neighbour: Neighbour?) {
    guard device.isBufferTaken(beside: neighbour) else { return nil }
    self.device = device.displayName
    switchPath = "\(device.directory)/\(OwnSettings.enable)"
    node = "/dev/\(device.id)"
    self.neighbour = neighbour
    nextLook = BootTime.now.advanced(bySeconds: Self.lookPeriod)
  }

  /// Checks from time to time whether the buffer has become free.
  ///
  /// - Throws: ``SourceError/bufferIsFree(device:)``; never without a neighbour.
  @inline(__always)
  mutating func checkWhetherFree(at now: BootTime) throws(SourceError) {
    guard now >= nextLook, let neighbour else { return }
    nextLook = now.advanced(bySeconds: Self.lookPeriod)
    try look(neighbour)
  }

  @inline(never)
  private func look(_ neighbour: Neighbour) throws(SourceError) {
    if shortText(ofFile: switchPath) == "1", neighbour.isThere { return }
    if !isHeld(node: node) { throw .bufferIsFree(device: device) }
  }

  /// The error for a failed read: some drivers refuse reads while the buffer is enabled (`iio_device_claim_direct_mode` in
  /// the kernel).
  func explaining(_ error: SourceError) -> SourceError {
    if case .busy = error { .refusedBesideBuffer(device: device) } else { error }
  }
}
