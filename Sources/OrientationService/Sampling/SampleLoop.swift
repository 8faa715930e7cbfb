// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// The hot loop: sample in, change out.
///
/// Per sample it allocates nothing, takes no lock, logs nothing and calls nothing but the source and the pipeline
/// (`make bench` counts). Only a change costs more: a slot in the queue and a write to an eventfd.
package enum SampleLoop {
  /// What ended a run.
  package enum End {
    /// The source was woken up, or has delivered until its end.
    case wokenUp
    /// The sensor delivers, but not gravity.
    case lifeless
  }

  /// Runs until the source is woken up or fails.
  ///
  /// - Parameters:
  ///   - source: the source of the samples.
  ///   - pipeline: decides the changes.
  ///   - signs: checks that the sensor works; nil if that is not checked.
  ///   - detector: decides when the source may rest; nil means never.
  ///   - session: the session for which changes are reported.
  ///   - link: where they are reported.
  /// - Returns: what ended it.
  /// - Throws: the errors of the source.
  @discardableResult
  package static func run<Source: SampleSource & ~Copyable>(
    _ source: inout Source, through pipeline: inout OrientationPipeline, watching signs: inout SignsOfLife?,
    restingBy detector: RestDetector? = nil, for session: SamplingSession, to link: borrowing SamplerLink
  ) throws(SourceError) -> End {
    var detector = detector
    // The rests of another configuration may have hidden some.
    if detector == nil { source.reportEverything() }
    let wakeUp = link.thread.wakeUp
    while let sample = try source.next(interruptedBy: wakeUp.event) {
      // The following steps run about four times a second.
      guard take(sample, through: &pipeline, for: session, to: link) else { continue }
      if signs?.verdict(on: sample) == .dead { return .lifeless }
      reportLength(learnedBy: &pipeline, for: session, to: link)
      guard detector?.isStill(after: sample) == true, let rest = detector?.takeRest(in: pipeline) else {
        continue
      }
      guard let moved = try source.next(leaving: rest, interruptedBy: wakeUp.event) else { return .wokenUp }
      if source.takeLossOfEvents() { link.thread.post(.motionEventsLost(session)) }
      detector?.moved(at: moved.time)
      pipeline.rest(until: moved.time.advanced(bySeconds: -1 / source.sampleRate))
      take(moved, through: &pipeline, for: session, to: link)
    }
    return .wokenUp
  }

  /// The same while there are readers of motion, who get every sample; the tablet's rest makes no difference then.
  ///
  /// - Parameters:
  ///   - source: the source of the samples.
  ///   - pipeline: decides the changes, at its own rate.
  ///   - signs: checks that the sensor works; nil if that is not checked.
  ///   - readers: where the samples go.
  ///   - session: the session for which changes are reported.
  ///   - link: where they are reported.
  /// - Returns: what ended it.
  /// - Throws: the errors of the source.
  @discardableResult
  package static func run<Source: SampleSource & ~Copyable>(
    _ source: inout Source, through pipeline: inout OrientationPipeline, watching signs: inout SignsOfLife?,
    feeding readers: inout MotionOutlet, for session: SamplingSession, to link: borrowing SamplerLink
  ) throws(SourceError) -> End {
    source.reportEverything()
    let wakeUp = link.thread.wakeUp
    while let sample = try source.next(interruptedBy: wakeUp.event) {
      readers.push(sample)
      if readers.wantsRates { readers.push(source.rates(), at: sample.time) }
      guard let mean = readers.mean.add(sample) else { continue }
      guard take(mean, through: &pipeline, for: session, to: link) else { continue }
      if signs?.verdict(on: sample) == .dead { return .lifeless }
      reportLength(learnedBy: &pipeline, for: session, to: link)
    }
    return .wokenUp
  }

  // It is called a few times a second; if it were inlined, the hot loop would have fewer registers.
  @inline(never)
  private static func reportLength(
    learnedBy pipeline: inout OrientationPipeline, for session: SamplingSession,
    to link: borrowing SamplerLink
  ) {
    if let length = pipeline.takeLearnedLength() { link.thread.post(.gravityLength(session, length)) }
  }

  /// Processes one sample; true if the gravity for clients was renewed, and not with a change of the orientation.
  @inline(__always) @discardableResult
  static func take(
    _ sample: Sample<SensorFrame>, through pipeline: inout OrientationPipeline,
    for session: SamplingSession, to link: borrowing SamplerLink
  ) -> Bool {
    if let change = pipeline.process(sample) {
      // This comes first, so a client that is notified of the change finds its gravity if that was due.
      _ = renewGravity(from: &pipeline, at: sample.time, for: session, to: link)
      link.thread.post(.changed(session, change))
    }
    return renewGravity(from: &pipeline, at: sample.time, for: session, to: link)
  }

  @inline(__always)
  private static func renewGravity(
    from pipeline: inout OrientationPipeline, at time: BootTime, for session: SamplingSession,
    to link: borrowing SamplerLink
  ) -> Bool {
    guard link.gravity.isDue(at: time) else { return false }
    let gravity = pipeline.gravityInPlace()
    link.gravity.renew(gravity, at: time)
    link.reportTilt(by: gravity, in: session)
    return true
  }
}
