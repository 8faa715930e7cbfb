// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The hot loop: sample in, change out.
///
/// Per sample it allocates nothing, takes no lock, logs nothing and calls nothing but the source and the pipeline
/// (`make bench` counts). Only a change costs more: a slot in the queue and a write to an eventfd.
package enum SampleLoop {
  /// Runs until the source is woken up or fails.
  package static func run<Source: SampleSource & ~Copyable>(
    _ source: inout Source, through pipeline: inout OrientationPipeline,
    for session: SamplingSession, to link: borrowing SamplerLink
  ) throws(SourceError) {
    while let sample = try source.next(interruptedBy: link.wakeUp) {
      take(sample, through: &pipeline, for: session, to: link)
    }
  }

  /// Takes in one sample.
  @inline(__always)
  static func take(
    _ sample: Sample<SensorFrame>, through pipeline: inout OrientationPipeline,
    for session: SamplingSession, to link: borrowing SamplerLink
  ) {
    let change = pipeline.process(sample)
    // First, so that who hears of the change finds its gravity.
    link.gravity.offer(pipeline.gravity, at: sample.time)
    if let change { link.post(.changed(session, change)) }
  }
}
