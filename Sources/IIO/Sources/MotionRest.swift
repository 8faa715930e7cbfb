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
    defer { events.closeDescriptor() }
    try buffer.pause()
    var end: RestEnd?
    if slowReports?.begin() ?? true {
      if events.arm(node: buffer.nodeDescriptor) {
        buffer.waitForEvents(events.descriptor)
        end = try wait(for: events, leaving: rest, interruptedBy: wakeUp)
      } else {
        self.events = nil
      }
      try buffer.checkOwnership()
      events.disarm()
      slowReports?.end()
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
  public mutating func takeLossOfEvents() -> Bool { eventTrust.takeLoss() }
}
