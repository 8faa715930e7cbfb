// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// The sampler for the main thread, which starts, stops and ends it.
final class Sampler {
  /// The state that it shares with its thread.
  let link: SamplerLink

  /// The present session; nil while there are no subscribers.
  private(set) var session: SamplingSession?

  private var configuration: Configuration
  private var lastSession: SamplingSession = 0

  /// Prepares the sampler.
  ///
  /// - Throws: ``SourceError/system(operation:code:)``
  init(configuration: Configuration) throws(SourceError) {
    link = try SamplerLink()
    self.configuration = configuration
  }

  /// Starts the thread, which scans the devices at once and then waits.
  ///
  /// The caller must already listen for new devices.
  ///
  /// - Throws: ``SourceError/system(operation:code:)``
  func launch() throws(SourceError) {
    try detachThread { [link, configuration] in
      var thread = SamplerThread(link: link, configuration: configuration)
      thread.run()
      link.ended.signal()
    }
  }

  /// Makes the thread use another configuration.
  ///
  /// The session continues, even if the sensor is opened again or replaced by another one.
  func reconfigure(_ configuration: Configuration) {
    self.configuration = configuration
    link.want(configuration)
  }

  /// Called when devices of this machine were added, removed or changed.
  func devicesChanged() {
    if configuration.sensor.isOfThisMachine { link.requestRescan() }
  }

  /// Starts sampling, with a new session.
  func start() {
    guard session == nil else { return }
    lastSession += 1
    session = lastSession
    link.want(session: lastSession)
  }

  /// Stops sampling and closes the sensor.
  func stop() {
    guard session != nil else { return }
    session = nil
    link.want(session: nil)
  }

  /// Makes the thread end.
  func requestStop() { link.requestStop() }

  /// Waits until the thread has ended; false if it has not in time, because it hangs in a sensor's driver.
  func waitForEnd(until deadline: BootTime) -> Bool {
    // If the queue of events is full, the thread waits for room.
    link.drainEvents { _ in }
    return link.ended.wait(until: deadline) == .signalled
  }
}
