// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// The sampler as the main thread sees it: started, stopped, ended.
final class Sampler {
  /// What it shares with its thread.
  let link: SamplerLink

  /// The present session; nil while there are no subscribers.
  private(set) var session: SamplingSession?

  private var configuration: Configuration
  private var lastSession: SamplingSession = 0

  /// Prepares it.
  ///
  /// - Throws: ``SourceError/system(operation:code:)``
  init(configuration: Configuration) throws(SourceError) {
    link = try SamplerLink()
    self.configuration = configuration
  }

  /// Starts the thread, which looks through the devices at once and then waits.
  ///
  /// Signals must be blocked by now, so that the thread inherits that. Devices that come from here on must be listened for.
  ///
  /// - Throws: ``SourceError/system(operation:code:)``
  func launch() throws(SourceError) {
    try detachThread { [link, configuration] in
      var thread = SamplerThread(link: link, configuration: configuration)
      thread.run()
      link.ended.signal()
    }
  }

  /// Has another configuration taken into use.
  ///
  /// The session goes on, even if the sensor is opened anew, or another one.
  func reconfigure(_ configuration: Configuration) {
    self.configuration = configuration
    link.want(configuration)
  }

  /// Takes in that devices of this machine came, went or changed.
  func devicesChanged() {
    if configuration.sensor.isOfThisMachine { link.requestRescan() }
  }

  /// Has the sensor sampled, under a new session.
  func start() {
    guard session == nil else { return }
    lastSession += 1
    session = lastSession
    link.want(session: lastSession)
  }

  /// Has the sensor closed.
  func stop() {
    guard session != nil else { return }
    session = nil
    link.want(session: nil)
  }

  /// Makes the thread end.
  func requestStop() { link.requestStop() }

  /// Waits until the thread has ended; false if it has not in time, as it hangs in a sensor's driver.
  func waitForEnd(until deadline: BootTime) -> Bool {
    link.ended.wait(until: deadline) == .signalled
  }
}
