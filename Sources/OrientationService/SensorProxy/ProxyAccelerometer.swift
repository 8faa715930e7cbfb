// SPDX-License-Identifier: Apache-2.0

// The accelerometer as iio-sensor-proxy's clients see it, made of what DeviceService knows. A claim counts like a client that
// generates notifications, so that the two halves never differ: the rotation lock holds both, and both follow the same sensor.
//
// The two mean different things by an orientation: the edge that is up is the panel's, and the natural orientation relates it to the
// device's; a flat tablet keeps the edge that was up last; and the tilt is not held by the lock.

import Orientation

/// Reports the accelerometer to `SensorProxyService`.
final class ProxyAccelerometer: DeviceObserver {
  private let device: DeviceService
  private let sensor: ProxySensor<AccelerometerReading>
  /// The last upright orientation of the device.
  private var upright = DeviceOrientation.unknown
  private var tilt = ProxyTilt.undefined
  private let tiltWatch = GravityWatch(unknown: ProxyTilt.undefined.rawValue) { reported, gravity in
    ProxyTilt(rawValue: reported)?.next(with: gravity).rawValue ?? reported
  }

  init(_ sensor: ProxySensor<AccelerometerReading>, of device: DeviceService) {
    self.sensor = sensor
    self.device = device
    sensor.whenWanted = { [unowned(unsafe) self] isWanted in
      tiltWatch.turn(on: isWanted)
      device.observerNeedsChanged()
      if isWanted { lookAtTilt() }
      update()
    }
    device.add(self, watching: tiltWatch)
    update()
  }

  /// A claim counts like a client that generates notifications.
  var needsAccelerometer: Bool { sensor.isWanted }

  func deviceAnnounced() { update() }

  func gravityEntered(_ region: GravityRegion) {
    tilt = ProxyTilt(rawValue: region) ?? .undefined
    update()
  }

  /// A sensor that ran already may be at rest, and report no change for long.
  private func lookAtTilt() {
    tilt = tilt.next(with: device.gravity)
  }

  private func update() {
    sensor.report(assess())
  }

  /// What the sensor is to clients now.
  private func assess() -> SensorState<AccelerometerReading> {
    let properties = device.properties
    guard properties.hasAccelerometer else {
      forget()
      return .absent
    }
    guard properties.isGenerating else { return .idle }
    let isTracking = device.present != .unknown
    if properties.orientation.isValidInterfaceOrientation { upright = properties.orientation }
    // While locked, there is an orientation even if the sensor does not work.
    guard isTracking || properties.orientation != .unknown else {
      guard properties.sensorStatus == .failed || properties.sensorStatus == .silent else { return .starting }
      forget()
      return .failed
    }
    guard isTracking || properties.sensorStatus != .starting else { return .starting }
    let orientation = ProxyOrientation(on: upright, natural: device.natural)
    // The tilt is kept, not forgotten: the sampler reports the region of the first sample before it reports the orientation.
    return .active(
      AccelerometerReading(orientation: orientation ?? .undefined, tilt: isTracking ? tilt : .undefined))
  }

  private func forget() {
    upright = .unknown
    tilt = .undefined
  }
}
