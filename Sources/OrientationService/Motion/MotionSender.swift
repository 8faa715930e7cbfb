// SPDX-License-Identifier: Apache-2.0

// The thread that sends samples. It sleeps until a sensor's thread has put a sample into its ring, or the main thread has another plan. It
// never waits for a program: what does not fit into a socket is lost, and counted.

import CLinux
import IIO
import Orientation

/// The work of the thread that sends samples.
struct MotionSender {
  /// How often a state is sent again that found no room, in seconds, if there are no samples meanwhile.
  private static let retrySeconds = 1.0

  private let link: MotionLink
  private var plan = MotionPlan()
  private var streams: [MotionStream] = []
  /// Those that have ended, whose programs do not know it yet, as they do not read.
  private var ended: [MotionStream] = []
  private var gravity = GravityLowPass()
  private var paceOfAccelerometer = SamplePace()
  private var paceOfGyroscope = SamplePace()

  /// Creates a sender without streams.
  init(link: MotionLink) { self.link = link }

  /// Runs until the main thread requests the end.
  static func run(link: MotionLink) {
    nameThread("motion")
    var sender = MotionSender(link: link)
    while !sender.turn() {
      let deadline =
        sender.isStateWaiting ? BootTime.now.advanced(bySeconds: Self.retrySeconds) : nil
      _ = link.thread.wakeUp.event.wait(for: -1, until: deadline)
    }
  }

  /// Whether a state waits until there is room in a socket.
  private var isStateWaiting: Bool { !ended.isEmpty || streams.contains { $0.isStateWaiting } }

  /// Does all that there is to do; true if the thread has to end.
  mutating func turn() -> Bool {
    // Before all else: what comes later then ends the next wait.
    link.thread.wakeUp.event.drain()
    let mustEnd = link.thread.isStopRequested
    // The samples before a plan belong to the plan before.
    let next = link.thread.takePlan()
    paceOfAccelerometer = passOn(
      from: link.accelerometer, [.accelerometer, .gravity], after: paceOfAccelerometer)
    let (gyroscope, unused) =
      plan.sharesGyroscope
      ? (link.sharedGyroscope, link.gyroscope) : (link.gyroscope, link.sharedGyroscope)
    unused.clear()
    paceOfGyroscope = passOn(from: gyroscope, [.gyroscope], after: paceOfGyroscope)
    if let next { adopt(next) }
    for index in streams.indices where streams[index].isStateWaiting { streams[index].sendState() }
    for index in ended.indices { ended[index].sendState() }
    ended.removeAll { !$0.isStateWaiting }
    return mustEnd
  }

  /// Sends the samples of a sensor.
  ///
  /// - Returns: the pace up to the last one.
  private mutating func passOn(
    from feed: MotionFeed, _ sensors: [MotionSensor], after pace: SamplePace
  ) -> SamplePace {
    var pace = pace
    while let sample = feed.next() {
      // Of a sensor that is not wanted any more.
      guard plan.state(of: sensors[0]).mayDeliver else { continue }
      if sample.isAfterGap { pace.skip() }
      pace.add(sample.time)
      let filtered = sensors.contains(.gravity) ? gravity.update(sample) : sample
      for index in streams.indices where sensors.contains(streams[index].plan.sensor) {
        guard streams[index].plan.hold == nil else { continue }
        if sample.isAfterGap { streams[index].expectGap() }
        streams[index].enter(.active, at: sample.time)
        streams[index].offer(streams[index].plan.sensor == .gravity ? filtered : sample, period: pace.period)
      }
    }
    if feed.isFailing, plan.state(of: sensors[0]).mayDeliver { fail(sensors) }
    return pace
  }

  /// Enters the state of sensors that cannot be read at present; the next sample ends it.
  private mutating func fail(_ sensors: [MotionSensor]) {
    for index in streams.indices where sensors.contains(streams[index].plan.sensor) {
      if streams[index].plan.hold == nil { streams[index].enter(.failed, at: .now) }
    }
  }

  /// The state of a stream in a plan: a gyroscope that is part of the accelerometer's device has that one's, as long as it can be read.
  private func state(of stream: MotionPlan.Stream, in plan: MotionPlan) -> MotionState {
    let state = plan.state(of: stream)
    guard state.mayDeliver, stream.sensor == .gyroscope, plan.sharesGyroscope else { return state }
    return link.sharedGyroscope.isFailing ? .failed : state
  }

  /// Uses another plan.
  private mutating func adopt(_ next: MotionPlan) {
    let now = BootTime.now
    if !next.accelerometer.mayDeliver { gravity.forget() }
    ended.removeAll { next.streams.contains(where: $0.continues(as:)) }
    for index in streams.indices where !next.streams.contains(where: streams[index].continues(as:)) {
      streams[index].enter(.stopped, at: now)
      if streams[index].isStateWaiting { ended.append(streams[index]) }
    }
    for feed in [link.gyroscope, link.sharedGyroscope]
    where !plan.streams.contains(where: { $0.sensor == .gyroscope }) {
      feed.forgetFailure()
    }
    var planned: [MotionStream] = []
    for stream in next.streams {
      var present = streams.first { $0.continues(as: stream) } ?? MotionStream(stream)
      present.become(stream)
      let state = state(of: stream, in: next)
      // Its first sample was sent before the main thread knew of it.
      let isAhead = state == .starting && present.state == .active && plan.state(of: stream) == .starting
      if !isAhead { present.enter(state, at: now) }
      planned.append(present)
    }
    streams = planned
    plan = next
  }
}

extension MotionState {
  /// Whether samples of a sensor in this state are passed on.
  fileprivate var mayDeliver: Bool { self == .starting || self == .active }
}
