// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup

/// A part of the service that joins it at its start.
///
/// `Service` uses only this protocol, so a part can be left out.
protocol ServicePart: AnyObject {
  /// Uses another configuration from now on.
  func reconfigure(_ configuration: Configuration)

  /// Called at the start, and when IIO devices came, went or changed.
  ///
  /// By now signals are blocked, which threads inherit, and udev is listened to.
  func devicesChanged()

  /// Makes its threads end.
  func requestStop()

  /// Waits until they have ended; false if one has not in time, as it hangs in a sensor's driver.
  func waitForEnd(until deadline: BootTime) -> Bool
}

extension ServicePart {
  func reconfigure(_ configuration: Configuration) {}
  func devicesChanged() {}
  func requestStop() {}
  func waitForEnd(until deadline: BootTime) -> Bool { true }
}
