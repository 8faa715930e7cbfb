// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The buffer of a device that is polled because somebody else has it.
struct TakenBuffer {
  /// How often it is looked at, in seconds, when the sensor is read anyway.
  static let lookPeriod = 5.0

  private let device: String
  private let switchPath: String
  private let node: String
  private let neighbour: Neighbour?
  private var nextLook: BootTime

  /// Looks whether somebody else has the buffer; nil where nobody does.
  init?(of device: IIODevice, beside neighbour: Neighbour?) {
    guard device.isBufferTaken(beside: neighbour) else { return nil }
    self.device = device.displayName
    switchPath = "\(device.directory)/\(OwnSettings.enable)"
    node = "/dev/\(device.id)"
    self.neighbour = neighbour
    nextLook = BootTime.now.advanced(bySeconds: Self.lookPeriod)
  }

  /// Looks now and then whether the buffer has become free.
  ///
  /// - Throws: ``SourceError/bufferIsFree(device:)``; never where there is nobody to come back to it.
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

  /// What a failed read means: some drivers refuse it while the buffer is on (`iio_device_claim_direct_mode` in the kernel).
  func explaining(_ error: SourceError) -> SourceError {
    if case .busy = error { .refusedBesideBuffer(device: device) } else { error }
  }
}
