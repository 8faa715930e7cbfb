// SPDX-License-Identifier: Apache-2.0

/// A source of an ``AmbientSensor``'s values, as ``SampleSource`` is for samples.
///
/// The initializer opens it, and its deinit closes it. It is used on the thread of its sensor.
package protocol ValueSource: ~Copyable {
  /// Waits for the next value, which may be the same as the one before.
  ///
  /// - Parameter wakeUp: ends the wait when signalled.
  /// - Returns: the value, in the unit of the sensor's measure; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``, after which the source cannot be used any more.
  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Double?
}

extension AmbientSensor {
  /// The device and the channel, if they are still there.
  ///
  /// - Throws: ``SourceError/vanished(device:)``
  func present() throws(SourceError) -> (device: IIODevice, channel: IIOChannel) {
    let device = try self.device.presentDevice()
    guard let channel = device.inputChannel(self.channel.id) else { throw .vanished(device: name) }
    return (device, channel)
  }
}

extension IIOChannel {
  /// How to convert an attribute's value to the unit of a measure.
  ///
  /// - Throws: ``SourceError/malformed(path:text:reason:)`` for a scale or an offset that is not a number, or a scale of
  ///   zero.
  func scale(
    of attribute: AmbientChannel.Attribute, measuring measure: AmbientMeasure
  ) throws(SourceError) -> ChannelScale {
    // The near level is in counts too.
    if case .proximity = measure { return .processed }
    // If a driver has no scale, its counts are in the unit already.
    guard attribute != .input, has("scale") else {
      return ChannelScale(offset: attribute == .input ? 0 : try offset(), scale: 1)
    }
    var scale = try scale()
    // The kernel's unit of angles is the radian (Documentation/ABI/testing/sysfs-bus-iio); that of headings is the degree.
    if measure == .hingeAngle { scale.scale *= 180 / .pi }
    return scale
  }
}
