// SPDX-License-Identifier: Apache-2.0

// How a chip with an interrupt rests: its buffer, into which the chip puts a sample for each interrupt, is stopped, its
// frequency is lowered, and it reports with an event that it was moved. The sensor is polled after an event, and, rarely,
// without one, because not every chip that accepts events reports them.

import Orientation

/// The events of a rest that may be false alarms.
private struct Alarms {
  /// After an event, the sensor is read as often as without events for this time, in seconds: the motion may just have begun.
  private static let alertSeconds = 1.0
  /// After so many alarms that nothing followed, the sensor is read without events until the rest is over.
  private static let allowed = 8
  /// Alarms that are older than this do not count, in seconds.
  private static let memory = 60.0

  private var count = 0
  private var alertEnd: BootTime

  /// Begins with an alert that no event has caused.
  init(alertFrom start: BootTime) {
    alertEnd = start.advanced(bySeconds: 2 * RestDetector.restPeriod)
  }

  var haveRung: Bool { count > 0 }

  var areTooMany: Bool { count > Self.allowed }

  func isAlert(at now: BootTime) -> Bool { now < alertEnd }

  mutating func rang(at now: BootTime) {
    if now.seconds(since: alertEnd) > Self.memory { count = 0 }
    count += 1
    alertEnd = now.advanced(bySeconds: Self.alertSeconds)
  }
}

extension BufferedSource {
  /// The highest rate at which a chip that compares one reading with the next notices a turn, in hertz: at 10 Hz, 62.5 mg are 36
  /// degrees a second.
  private static let quickestComparison = 10.0

  /// Waits until the tablet leaves its rest, with the buffer stopped.
  ///
  /// - Returns: what ended the wait; nil if the chip's events cannot be used.
  /// - Throws: as ``next(interruptedBy:)``.
  mutating func nextMotion(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd? {
    guard rest.pace == .slowing, let events, !eventTrust.isLost, events.areFree,
      slowReports?.isWilling ?? (sampleRate <= Self.quickestComparison)
    else { return nil }
    try buffer.pause()
    var end: RestEnd?
    if slowReports?.begin() ?? true {
      // Also if another program has enabled the buffer meanwhile: nobody else would switch them off, or raise the frequency again.
      defer {
        events.disarm()
        slowReports?.end()
      }
      if events.arm(node: buffer.nodeDescriptor) {
        buffer.waitForEvents(events.descriptor)
        end = try wait(for: events, leaving: rest, interruptedBy: wakeUp)
      } else {
        self.events = nil
      }
      try buffer.checkOwnership()
    }
    try resumeBuffer()
    return end
  }

  private mutating func wait(
    for events: MotionEvents, leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd? {
    let start = BootTime.now
    // The tablet may have been turned while the buffer was stopped and the events were not on yet.
    var alarms = Alarms(alertFrom: start)
    while !alarms.areTooMany {
      let now = BootTime.now
      let isAlert = alarms.isAlert(at: now)
      let pause =
        isAlert ? RestDetector.restPeriod : eventTrust.pause(afterResting: now.seconds(since: start))
      // While the sensor is read often, events would only cause more work.
      let descriptor = isAlert ? -1 : buffer.fileDescriptor
      let result = wakeUp.wait(for: descriptor, until: now.advanced(bySeconds: pause))
      guard result != .signalled else { return .interruption }
      try buffer.checkOwnership()
      let report = events.takeEvents()
      if report == .gone { throw .vanished(device: buffer.device) }
      if report == .motion, !isAlert { alarms.rang(at: .now) }
      guard let reading = try readAxes(), !rest.holds(reading) else { continue }
      if report == .motion || isAlert && alarms.haveRung {
        eventTrust.eventCame()
      } else {
        eventTrust.nothingCame(for: reading, leaving: rest, afterWaiting: pause)
      }
      return .sample(sample(reading, at: .now))
    }
    return nil
  }

  /// Whether the chip's events were found not to work since the last call.
  package mutating func takeLossOfEvents() -> Bool { eventTrust.takeLoss() }
}

/// How far the motion events of a chip are trusted.
///
/// A driver accepts events also if the chip's interrupt never arrives. So the sensor is read from time to time while it reports
/// nothing, and less often if an event has come before.
struct EventTrust: Equatable, Sendable {
  /// How long to wait for an event before the sensor is read, if none has come yet, in seconds: in the first minutes of a rest,
  /// and after them.
  private static let (shortUntried, longUntried) = (1.5, 3.0)
  /// The same if one has come before: a turn too slow for an event must not take longer while the device is in use.
  private static let (shortTried, longTried) = (5.0, 30.0)
  /// How long the first minutes are, in seconds.
  private static let shortRest = 120.0
  /// After so many turns in a row without an event, the chip's events do not work.
  private static let allowedMisses = 3
  /// How fast a chip may be turned without an event, m/s^2 on an axis in a second: kxcjk-1013 compares readings that are 0.16 s
  /// apart with 62.5 mg.
  private static let unreportedChange = 0.4 * standardGravity

  private var hasReported = false
  private var misses = 0
  /// Whether the events were found not to work, and that has not been reported yet.
  private var isLossUnreported = false

  /// Whether the chip's events do not work.
  var isLost: Bool { misses >= Self.allowedMisses }

  /// How long to wait for an event before the sensor is read, in seconds, when the rest has lasted for so many.
  func pause(afterResting seconds: Double) -> Double {
    if seconds < Self.shortRest { return hasReported ? Self.shortTried : Self.shortUntried }
    return hasReported ? Self.longTried : Self.longUntried
  }

  /// Records that an event ended a rest.
  mutating func eventCame() {
    hasReported = true
    misses = 0
  }

  /// Records that the sensor was found off its rest without an event, when it had not been read for so many seconds.
  mutating func nothingCame(
    for reading: Acceleration<SensorFrame>, leaving rest: Rest, afterWaiting pause: Double
  ) {
    // The next rest is read more often, whatever the reason is.
    hasReported = false
    let slowest = Rest(at: rest.acceleration, tolerance: Self.unreportedChange * pause)
    if !slowest.holds(reading) { misses += 1 }
    isLossUnreported = isLossUnreported || isLost
  }

  /// Whether the chip's events were found not to work since the last call.
  mutating func takeLoss() -> Bool {
    defer { isLossUnreported = false }
    return isLossUnreported
  }
}
