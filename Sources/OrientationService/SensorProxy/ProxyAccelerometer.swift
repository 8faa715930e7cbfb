// SPDX-License-Identifier: Apache-2.0

// The accelerometer as iio-sensor-proxy's clients see it. A claim counts like a client that generates notifications, so that both halves
// follow the same sensor.
//
// Desktops turn their screens to the edge that iio-sensor-proxy calls up. So this is the edge at which the interface is upright, which
// ScreenService decides: what it does about the lock, holds, rotation by hand, the supported orientations and the laptop mode, the desktop
// does too. The tilt is the device's own.

import Orientation

/// Reports the accelerometer to `SensorProxyService`.
final class ProxyAccelerometer: DeviceObserver {
  private let device: DeviceService
  private let screen: ScreenService
  private let sensor: ProxySensor
  private var tilt = ScreenTilt.undefined

  init(_ sensor: ProxySensor, of device: DeviceService, showing screen: ScreenService) {
    self.sensor = sensor
    self.device = device
    self.screen = screen
    sensor.whenWanted = { [unowned(unsafe) self] isWanted in
      device.link.tilt.turn(on: isWanted)
      device.clientsChanged()
      if isWanted { lookAtTilt() }
      update()
    }
    sensor.whenClaimed = { [unowned(unsafe) sensor] in screen.followers.claimants = sensor.claimants }
    device.add(self)
    screen.whenSettled = { [unowned(unsafe) self] in update() }
    update()
  }

  /// A claim counts like a client that generates notifications.
  var needsAccelerometer: Bool { sensor.isWanted }

  func deviceAnnounced() { update() }

  func screenLeans(_ tilt: ScreenTilt) {
    self.tilt = tilt
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
  private func assess() -> SensorState<ProxyReading> {
    let properties = device.properties
    guard properties.hasAccelerometer else {
      tilt = .undefined
      return .absent
    }
    guard properties.isGenerating else { return .idle }
    let isTracking = device.present != .unknown
    // While locked, there is an orientation even if the sensor does not work.
    guard isTracking || properties.orientation != .unknown else {
      guard properties.sensorStatus == .failed || properties.sensorStatus == .silent else { return .starting }
      tilt = .undefined
      return .failed
    }
    guard isTracking || properties.sensorStatus != .starting else { return .starting }
    // A tablet that has lain flat since this start does not turn a screen that another start has turned.
    let orientation = screen.decidedTransform.map { ProxyOrientation(showing: $0) } ?? .undefined
    // The tilt is kept, not forgotten: the sampler reports the region of the first sample before it reports the orientation.
    return .active(ProxyReading(orientation: orientation, tilt: isTracking ? tilt : .undefined))
  }
}
