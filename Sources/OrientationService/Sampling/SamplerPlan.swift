// SPDX-License-Identifier: Apache-2.0

import Orientation
import SensorSetup

/// What the main thread wants of the sampler.
struct SamplerPlan: Sendable {
  /// How to sample.
  var configuration: Configuration
  /// The mount matrices that people have set.
  var matrices = SetMatrices()
  /// How readily the orientation changes because people say so; nil as the configuration says.
  var responsiveness: Responsiveness?
  /// The session to sample for, or the last one; zero before the first.
  var lastSession: SamplingSession = 0
  /// Whether it goes on.
  var isSampling = false
  /// What readers of motion want; nil without readers.
  var motion: MotionDemand?
  /// How often devices of this machine were added, removed or changed.
  var deviceChanges = 0

  /// The settings for the decision.
  var pipeline: PipelineSettings {
    var pipeline = configuration.pipeline
    pipeline.responsiveness = responsiveness ?? pipeline.responsiveness
    return pipeline
  }

  /// The session to sample for; nil if there are no subscribers.
  var session: SamplingSession? { isSampling ? lastSession : nil }
}
