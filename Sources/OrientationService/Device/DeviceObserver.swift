// SPDX-License-Identifier: Apache-2.0

// The seam between the device half and what is built upon it: the screen half, and iio-sensor-proxy's interface. An observer joins
// with DeviceService.add(_:); the device half knows no more of it than this.

import Orientation
import SensorSetup

/// A part of the service that follows the device's state.
protocol DeviceObserver: AnyObject {
  /// Whether it needs the accelerometer to run, like a client that generates notifications.
  ///
  /// When that changes, it calls ``DeviceService/clientsChanged()``.
  var needsAccelerometer: Bool { get }

  /// The orientation that clients see is another one. It is announced next: the observer announces its own properties and signals
  /// when it is asked to.
  func deviceTurned(to change: OrientationChange)

  /// The device's properties were announced: the observer announces its own.
  func announceProperties()

  /// The device's signals were emitted: the observer emits its own.
  func emitSignals()

  /// The devices were looked through, with this result.
  func devicesFound(_ scan: SensorScan)

  /// Whatever there was to announce was announced.
  func deviceAnnounced()

  /// The screen leans otherwise than before; this is known only while the ``TiltWatch`` is on.
  func screenLeans(_ tilt: ScreenTilt)
}

extension DeviceObserver {
  var needsAccelerometer: Bool { false }
  func deviceTurned(to change: OrientationChange) {}
  func announceProperties() {}
  func emitSignals() {}
  func devicesFound(_ scan: SensorScan) {}
  func deviceAnnounced() {}
  func screenLeans(_ tilt: ScreenTilt) {}
}

/// An observer that its owner keeps as long as the device half.
struct DeviceObserverReference {
  unowned(unsafe) let observer: any DeviceObserver
}
