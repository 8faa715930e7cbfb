// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// The sampler for the main thread, which starts, stops and ends it.
final class Sampler {
  /// The state that it shares with its thread, and with others.
  let link: SamplerLink
  /// The thread.
  let worker: Worker<SamplerPlan, SamplerEvent>

  /// What the thread is to do.
  private var plan: SamplerPlan

  /// Prepares the sampler.
  ///
  /// - Parameters:
  ///   - configuration: how to sample.
  ///   - matrices: the mount matrices that people have set.
  ///   - responsiveness: how readily the orientation changes; nil as the configuration says.
  /// - Throws: ``SourceError/system(operation:code:)``
  init(
    configuration: Configuration, matrices: SetMatrices = SetMatrices(),
    responsiveness: Responsiveness? = nil
  ) throws(SourceError) {
    plan = SamplerPlan(configuration: configuration, matrices: matrices, responsiveness: responsiveness)
    link = try SamplerLink()
    worker = Worker(for: link.thread)
  }

  /// Starts the thread, which scans the devices at once and then waits.
  ///
  /// The caller must already listen for new devices.
  ///
  /// - Throws: ``SourceError/system(operation:code:)``
  func launch() throws(SourceError) {
    try worker.start { [link, plan] _ in
      var thread = SamplerThread(link: link, plan: plan)
      thread.run()
    }
  }

  /// The present session; nil while there are no subscribers.
  var session: SamplingSession? { plan.session }

  /// Makes the thread use another configuration.
  ///
  /// The session continues, even if the sensor is opened again or replaced by another one.
  func reconfigure(_ configuration: Configuration) {
    plan.configuration = configuration
    worker.link.want(plan)
  }

  /// How readily the orientation changes.
  var responsiveness: Responsiveness { plan.pipeline.responsiveness }

  /// Makes the orientation change so readily; nil as the configuration says.
  func use(_ responsiveness: Responsiveness?) {
    plan.responsiveness = responsiveness
    worker.link.want(plan)
  }

  /// Makes the thread use other mount matrices that people have set.
  func use(_ matrices: SetMatrices) {
    plan.matrices = matrices
    worker.link.want(plan)
  }

  /// Called when devices of this machine were added, removed or changed.
  func devicesChanged() {
    guard plan.configuration.sensor.isOfThisMachine else { return }
    plan.deviceChanges += 1
    worker.link.want(plan)
  }

  /// Makes the thread pass its samples on to readers of motion, at least at their rate; nil ends this.
  func want(_ motion: MotionDemand?) {
    plan.motion = motion
    worker.link.want(plan)
  }

  /// Starts sampling, with a new session.
  func start() {
    guard !plan.isSampling else { return }
    plan.isSampling = true
    plan.lastSession += 1
    worker.link.want(plan)
  }

  /// Stops sampling and closes the sensor.
  func stop() {
    guard plan.isSampling else { return }
    plan.isSampling = false
    worker.link.want(plan)
  }
}
