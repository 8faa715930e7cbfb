// SPDX-License-Identifier: Apache-2.0

// How a chip with an interrupt rests: its buffer, into which the chip puts a sample for each interrupt, is stopped, its
// frequency is lowered, and it reports with an event that it was moved. The sensor is polled after an event, and, rarely,
// without one, because not every chip that accepts events reports them.

import CLinux
import Orientation

/// The chip's events, and what is known about them.
struct MotionRest {
  /// After an event, the sensor is read as often as without events for this time, in seconds: the motion may just have begun.
  static let alertSeconds = 1.0
  /// After so many events in a rest that nothing followed, the sensor is read without events until the rest is over.
  static let allowedAlarms = 8

  let events: MotionEvents
  var trust = EventTrust()
  /// Whether the events were found not to work, and no one has asked yet.
  var hasNews = false
}

extension BufferedSource {
  /// Waits until the tablet leaves its rest, with the buffer stopped.
  ///
  /// - Returns: what ended the wait; nil if the chip's events cannot be used.
  /// - Throws: as ``next(interruptedBy:)``.
  mutating func nextMotion(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd? {
    guard let events = motion?.events, motion?.trust.isLost == false, events.areFree else { return nil }
    try pauseBuffer()
    // Chips compare a reading with the one before: at a high frequency, they would notice only quick movements.
    let isSlow = slowReports?.begin() == true
    let end = try events.whileArmed { () throws(SourceError) in
      try wait(for: events, leaving: rest, interruptedBy: wakeUp)
    }
    if isSlow { slowReports?.end() }
    try resumeBuffer()
    return end
  }

  private mutating func wait(
    for events: MotionEvents, leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd? {
    let start = BootTime.now
    var (alarms, alertEnd) = (0, BootTime(nanoseconds: 0))
    while true {
      let now = BootTime.now
      let isAlert = now < alertEnd
      guard isAlert || alarms < MotionRest.allowedAlarms else { return nil }
      let pause =
        isAlert
        ? RestDetector.restPeriod : motion?.trust.pause(afterResting: now.seconds(since: start)) ?? 0
      // While the sensor is read often, more events would only cause more work.
      let result = wakeUp.wait(for: isAlert ? -1 : events.descriptor, until: now.advanced(bySeconds: pause))
      guard result != .signalled else { return .interruption }
      var report = MotionEvents.Report.nothing
      if !isAlert || result == .ready { report = events.takeEvents() }
      if report == .end { return nil }
      if report == .motion {
        alarms += 1
        alertEnd = .now.advanced(bySeconds: MotionRest.alertSeconds)
      }
      guard let reading = try readAxes(), !rest.holds(reading) else { continue }
      noteEnd(of: rest, reading, hasEvent: isAlert || report == .motion || events.takeEvents() == .motion)
      return .sample(sample(reading, at: .now))
    }
  }

  /// Records whether an event came when the tablet was moved.
  private mutating func noteEnd(of rest: Rest, _ reading: Acceleration<SensorFrame>, hasEvent: Bool) {
    if hasEvent {
      motion?.trust.eventCame()
    } else {
      motion?.trust.nothingCame(for: reading, leaving: rest)
      if motion?.trust.isLost == true { motion?.hasNews = true }
    }
  }

  /// Whether the chip's events were found not to work since the last call.
  public mutating func takeLossOfEvents() -> Bool {
    defer { motion?.hasNews = false }
    return motion?.hasNews == true
  }
}
