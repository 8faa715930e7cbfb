// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup

/// The state that is kept from one source to the next: the pipeline continues when the same sensor is read in another
/// way.
struct SamplingCourse {
  /// The sensor.
  let sensor: MountedSensor
  /// The session for which changes are reported.
  let session: SamplingSession
  /// Decides the changes.
  var pipeline: OrientationPipeline
  /// Its settings.
  private var settings: PipelineSettings
  /// Nil if the sensor is not a real one, and cannot fail in this way.
  var signs: SignsOfLife?
  /// Whether the sensor has delivered since it was opened for this course.
  private(set) var hasDelivered = false
  /// Whether the sensor was closed only to be read at another pace.
  var isPaceOld = false
  /// Whether the sensor's buffer has failed, and has delivered nothing since.
  private var isBufferGivenUp = false
  /// The event that is reported before the first polled sample.
  private var newsOfPolling: SamplerEvent?

  /// Begins with a sensor of which this is known from earlier sessions.
  init(
    of sensor: MountedSensor, for session: SamplingSession, settings: PipelineSettings, length: GravityLength,
    signs: SignsOfLife
  ) {
    (self.sensor, self.session, self.settings) = (sensor, session, settings)
    pipeline = OrientationPipeline(transform: sensor.transform, settings: settings)
    pipeline.length = length
    self.signs = sensor.origin.isReal ? signs : nil
    self.signs?.startAgain()
  }

  /// Uses these settings from now on: if they are others, but for the responsiveness, the pipeline starts again.
  mutating func use(_ settings: PipelineSettings) {
    guard settings != self.settings else { return }
    self.settings.responsiveness = settings.responsiveness
    if settings == self.settings { return pipeline.use(settings.responsiveness) }
    let length = pipeline.length
    self.settings = settings
    pipeline = OrientationPipeline(transform: sensor.transform, settings: settings)
    pipeline.length = length
  }

  /// Gives the buffer up; returns what to report of that at once.
  mutating func giveUpBuffer(because failure: SourceError) -> SamplerEvent? {
    newsOfPolling = nil
    guard !isBufferGivenUp else { return nil }
    isBufferGivenUp = true
    let news = SamplerEvent.buffered(session, givesWayToPollingBecause: failure)
    guard case .noGravity = failure else { return news }
    // Polling may deliver a better reading; if it does not, there is only one failure to report.
    newsOfPolling = news
    return nil
  }

  /// Called when the sensor has begun to deliver; returns what to report of the way of sampling.
  mutating func delivers(_ way: SamplingWay) -> SamplerEvent? {
    hasDelivered = true
    switch way {
    case .buffered where isBufferGivenUp:
      isBufferGivenUp = false
      return .bufferWorks(session)
    case .polled: return newsOfPolling
    case .buffered, .remote, .replayed, .simulated: return nil
    }
  }

  /// The first sample that shows that the sensor works; nil when the source was woken up.
  mutating func firstSample<Source: SampleSource & ~Copyable>(
    of source: inout Source, interruptedBy event: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while let sample = try source.next(interruptedBy: event) {
      switch signs?.verdict(on: sample) ?? .alive {
      case .alive: return sample
      case .doubtful: continue
      case .dead: throw noGravity
      }
    }
    return nil
  }

  /// The failure of a sensor that delivers, but not gravity.
  var noGravity: SourceError { .noGravity(device: sensor.name, seconds: SignsOfLife.patience) }
}
