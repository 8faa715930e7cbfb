// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A stream on the thread that sends: which samples are due, what was lost, and which state is still to be sent.
///
/// A program that does not read loses the newest samples. The oldest would be of less use to it, but they are in the kernel's queue, from
/// which nobody can take them back; so this queue is short. A state is never lost: the latest one is sent as soon as there is room.
struct MotionStream {
  /// What the main thread wants.
  private(set) var plan: MotionPlan.Stream
  /// By which part a sensor may be faster than the stream, whose samples are all sent nevertheless.
  private static let tolerance: Int64 = 10

  private var schedule: Schedule
  private var lost: UInt32 = 0
  /// Whether samples were dropped before they came here.
  private var isGapExpected = false
  /// The state that the program knows, or is to know next.
  private(set) var state: MotionState?
  /// When it was entered, if the record is still to be sent.
  private var stateTime: BootTime?

  /// Creates a stream of which nothing was sent.
  init(_ plan: MotionPlan.Stream) {
    self.plan = plan
    schedule = Schedule(every: plan.interval.nanoseconds)
  }

  /// Whether a stream of another plan is this one, perhaps with another interval.
  func continues(as other: MotionPlan.Stream) -> Bool {
    plan.connection === other.connection && plan.sensor == other.sensor
  }

  /// Uses the stream of another plan, which continues this one.
  mutating func become(_ other: MotionPlan.Stream) {
    // The first sample with another interval comes no earlier than that after the last one.
    schedule = schedule.with(interval: other.interval.nanoseconds)
    plan = other
  }

  /// Whether a state waits until there is room.
  var isStateWaiting: Bool { stateTime != nil && !plan.connection.isBroken }

  /// Enters a state, if it is another one.
  mutating func enter(_ state: MotionState, at time: BootTime) {
    guard state != self.state else { return }
    self.state = state
    stateTime = time
    // The first sample afterwards is due at once.
    schedule = Schedule(every: plan.interval.nanoseconds)
    sendState()
  }

  /// Sends the state that waits, if there is room.
  mutating func sendState() {
    guard let state, let time = stateTime, !plan.connection.isBroken else { return }
    let record = MotionRecord(sensor: plan.sensor, lost: lost, time: time, content: .state(state))
    guard plan.connection.send(record) else { return }
    stateTime = nil
    lost = 0
  }

  /// Sends a sample, if one is due.
  ///
  /// - Parameters:
  ///   - sample: the sample, in the unit of the sensor.
  ///   - period: the usual time between two samples, in nanoseconds.
  mutating func offer(_ sample: MotionSample, period: Int64) {
    guard isDue(at: sample.time, period: period), !plan.connection.isBroken else { return }
    if stateTime != nil { sendState() }
    let record = MotionRecord(
      sensor: plan.sensor, lost: lost, time: sample.time,
      content: .sample(x: sample.x, y: sample.y, z: sample.z))
    // A sample must not overtake the state before it.
    guard stateTime == nil, plan.connection.send(record) else { return lose(1) }
    lost = 0
  }

  /// Records that samples were dropped: those that were due until the next one are lost.
  mutating func expectGap() { isGapExpected = true }

  /// Counts samples that would have been sent.
  private mutating func lose(_ count: UInt64) { lost = UInt32(clamping: UInt64(lost) + count) }

  /// Whether a sample of this time is to be sent: the one that is nearest to the time when one is due.
  private mutating func isDue(at time: BootTime, period: Int64) -> Bool {
    let interval = plan.interval.nanoseconds
    // Every sample of a sensor that is as slow as the stream, however its times jitter.
    let isSlow = period &+ period / Self.tolerance >= interval
    guard isSlow || schedule.isDue(at: time, early: period / 2) else { return false }
    let left = schedule.left(at: time)
    if isGapExpected, schedule.hasBegun, left < 0 { lose(left.magnitude / UInt64(max(interval, period))) }
    isGapExpected = false
    schedule.take(at: time)
    return true
  }
}
