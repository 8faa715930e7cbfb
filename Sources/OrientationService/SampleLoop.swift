// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The hot loop: sample in, change out.
///
/// Per sample it allocates nothing, takes no lock, logs nothing and calls nothing but the source and the pipeline
/// (`make bench` counts). Only a change costs more: a slot in the queue and a write to an eventfd.
package enum SampleLoop {
  /// Runs until the source is woken up or fails.
  ///
  /// - Parameters:
  ///   - source: where samples come from.
  ///   - pipeline: what makes changes of them.
  ///   - pace: when to let the source rest; nil never does.
  ///   - session: what changes are told under.
  ///   - link: where they are told.
  /// - Throws: what the source throws.
  package static func run<Source: SampleSource & ~Copyable>(
    _ source: inout Source, through pipeline: inout OrientationPipeline, at pace: Pace? = nil,
    for session: SamplingSession, to link: borrowing SamplerLink
  ) throws(SourceError) {
    var pace = pace
    while let sample = try source.next(interruptedBy: link.wakeUp) {
      // What follows is done about four times a second.
      guard take(sample, through: &pipeline, for: session, to: link) else { continue }
      guard pace?.isStill(after: sample) == true, let rest = pace?.takeRest(in: pipeline) else { continue }
      guard let moved = try source.next(leaving: rest, interruptedBy: link.wakeUp) else { return }
      pace?.moved(at: moved.time)
      pipeline.rest(until: moved.time.advanced(bySeconds: -1 / source.sampleRate))
      take(moved, through: &pipeline, for: session, to: link)
    }
  }

  /// Takes in one sample; true where the gravity that clients see was renewed.
  @inline(__always) @discardableResult
  static func take(
    _ sample: Sample<SensorFrame>, through pipeline: inout OrientationPipeline,
    for session: SamplingSession, to link: borrowing SamplerLink
  ) -> Bool {
    if let change = pipeline.process(sample) {
      // First, so that who hears of the change finds its gravity.
      if let gravity = link.gravity.offer(pipeline.gravityInPlace(), at: sample.time) {
        link.tellTilt(of: gravity, in: session)
      }
      link.post(.changed(session, change))
    }
    guard link.gravity.isDue(at: sample.time) else { return false }
    let gravity = pipeline.gravityInPlace()
    link.gravity.renew(gravity, at: sample.time)
    link.tellTilt(of: gravity, in: session)
    return true
  }
}
