// SPDX-License-Identifier: Apache-2.0

// How a buffered sensor rests. A hub that reports changes only, because it was told to or by itself, keeps silent until
// something changes, and is only asked now and then whether it still lives. Another sensor is slowed down; and one that
// cannot be, or has its samples in blocks, goes on as it is, while its samples are fetched seldom.

import CLinux
public import Orientation

/// How long a hub is silent before it is asked whether it is so rightly, in seconds: soon once, and then rarely.
///
/// A hub that has never reported anything is trusted little by little: what was turned after it lay still for a time is noticed
/// after as long at the latest. It answers as any other where it was left without power, as after a sleep of the machine (see
/// `IdlePower.swift`), should that not have been mended, and where none of its interrupts arrive.
private struct CheckPause {
  private static let rare = 30.0
  private static let longest = 60.0
  private var pause = 0.0

  mutating func next(hasReported: Bool) -> Double {
    if pause == 0 {
      pause = BufferedSource.silenceLimit
    } else if hasReported {
      pause = pause < Self.rare ? Self.rare : Self.longest
    } else {
      pause = min(2 * pause, Self.rare)
    }
    return pause
  }
}

extension BufferedSource {
  /// How far the hub's answer may be from its last report, m/s^2, on an axis: 0.25 g, several times what a change
  /// sensitivity hides.
  private static let unreportedChange = 0.25 * standardGravity
  /// A hub that says the same so often is heard out no longer.
  private static let idleReports = 8

  /// Waits until the tablet leaves its rest.
  ///
  /// - Parameters:
  ///   - rest: where the tablet lies.
  ///   - wakeUp: ends the wait when signalled.
  /// - Returns: the first sample off the rest; nil when `wakeUp` was signalled.
  /// - Throws: as ``next(interruptedBy:)``; `silent` also where a silent hub does not answer, or answers something else than
  ///   it last reported.
  public mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    if let sample = nextOfBlock(leaving: rest) { return sample }
    reportsChangesOnly = sensitivity?.reportChangesOnly(beyond: rest.tolerance) == true || isQuietByItself
    while true {
      let end =
        reportsChangesOnly
        ? try nextChange(leaving: rest, interruptedBy: wakeUp)
        : try nextSeldom(leaving: rest, interruptedBy: wakeUp)
      switch end {
      case .sample(let sample): return sample
      case .interruption: return nil
      case .chatter:
        sensitivity?.giveUp()
        reportsChangesOnly = false
      case .silence:
        guard let answer = try learnSilence(interruptedBy: wakeUp) else { return nil }
        if !rest.holds(answer) { return sample(answer, at: .now) }
      }
    }
  }

  /// What ended a wait at rest.
  private enum End {
    case sample(Sample<SensorFrame>)
    case interruption
    /// The sensor reports although nothing changes, more often than it was told to.
    case chatter
    /// It reports nothing.
    case silence
  }

  /// Sleeps until the hub reports a change.
  private mutating func nextChange(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> End {
    let start = BootTime.now
    var reports = 0
    var pause = CheckPause()
    while true {
      switch try refill(within: pause.next(hasReported: hasReported), interruptedBy: wakeUp) {
      case .interruption: return .interruption
      case .silence:
        guard let reading = try confirmSilence(interruptedBy: wakeUp) else { return .interruption }
        if !rest.holds(reading) { return .sample(sample(reading, at: .now)) }
      case .block:
        if let sample = nextOfBlock(leaving: rest) { return .sample(sample) }
        reports &+= 1
        if reports >= Self.idleReports,
          Double(reports) * RestDetector.restPeriod > heard.seconds(since: start)
        {
          return .chatter
        }
      }
    }
  }

  /// Has a sensor that reports all the time wake us seldom.
  private mutating func nextSeldom(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> End {
    guard isSingleSample, slowReports?.begin() == true else {
      return try nextFetched(leaving: rest, interruptedBy: wakeUp)
    }
    defer { slowReports?.end() }
    let end = try nextReport(leaving: rest, interruptedBy: wakeUp)
    guard case .chatter = end else { return end }
    slowReports?.giveUp()
    return try nextFetched(leaving: rest, interruptedBy: wakeUp)
  }

  /// Waits for one report of a slowed sensor after the other.
  private mutating func nextReport(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> End {
    let start = BootTime.now
    var reports = 0
    while true {
      let result = wakeUp.wait(for: fileDescriptor, seconds: Self.silenceLimit)
      guard result != .signalled else { return .interruption }
      if try readBlock() {
        if let sample = nextOfBlock(leaving: rest) { return .sample(sample) }
        reports &+= 1
        // Firmware may take the slow interval and go on as before.
        if reports >= Self.idleReports,
          Double(reports) * RestDetector.restPeriod > 1.5 * heard.seconds(since: start)
        {
          return .chatter
        }
      } else if result == .deadline {
        return .silence
      }
    }
  }

  /// Fetches now and then what came meanwhile.
  private mutating func nextFetched(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> End {
    while wakeUp.wait(seconds: max(RestDetector.restPeriod, blockPeriod)) != .signalled {
      try checkOwnership()
      if try readBlock() {
        if let sample = nextOfBlock(leaving: rest) { return .sample(sample) }
      } else if BootTime.now.seconds(since: heard) >= Self.silenceLimit {
        return .silence
      }
    }
    return .interruption
  }

  /// The first sample of the present block that is off the rest; nil where it has none.
  private mutating func nextOfBlock(leaving rest: Rest) -> Sample<SensorFrame>? {
    skipOfBlock { rest.holds($0) }
    return hasNextOfBlock ? nextOfBlock() : nil
  }

  /// Takes a silence that nobody asked for: the hub reports changes only, or its buffer is broken.
  ///
  /// - Returns: what it answers, from which on its silence says that nothing changes; nil when `wakeUp` was signalled.
  /// - Throws: `silent`, also where it has reported the same twice: what reports everything has no reason to be silent.
  mutating func learnSilence(
    interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    guard !repeatsItself else { throw silence }
    guard let answer = try confirmSilence(interruptedBy: wakeUp) else { return nil }
    isQuietByItself = true
    reportsChangesOnly = true
    return answer
  }

  /// Asks a silent hub itself, which tells one that has nothing to report from one that is dead.
  ///
  /// A dead hub fails to answer, or the kernel makes zeros of its silence after 20 s (hid-sensor-hub in Linux 6.1).
  ///
  /// - Returns: the answer; nil when `wakeUp` was signalled.
  /// - Throws: `silent`.
  mutating func confirmSilence(
    interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    guard var answer = answer() else { throw silence }
    // The kernel makes samples of the answers too, so the next poll would not wait. The latest may also be a report.
    answer = try latest() ?? answer
    heard = .now
    guard let last else {
      // Nothing to compare it with.
      guard answer.mayBeGravity else { throw silence }
      return answer
    }
    guard !Rest(at: last, tolerance: Self.unreportedChange).holds(answer) else { return answer }
    // It may have begun to move right now. Then the hub says so by itself.
    switch try refill(within: 3 * blockPeriod + 0.1, interruptedBy: wakeUp) {
    case .block: return answer
    case .silence:
      withholdsReports = true
      throw silence
    case .interruption: return nil
    }
  }

  /// What the hub answers when it is asked for its axes; nil where it does not, or not in time.
  private borrowing func answer() -> Acceleration<SensorFrame>? {
    switch axes {
    case .none: return nil
    case .some(let axes):
      let asked = BootTime.now
      guard let x = try? axes.acceleration(on: .x), asked.isRecent,
        let y = try? axes.acceleration(on: .y), asked.isRecent,
        let z = try? axes.acceleration(on: .z), asked.isRecent
      else { return nil }
      return Acceleration(x: x, y: y, z: z)
    }
  }
}

extension BootTime {
  /// Whether a sensor that was asked at this instant has not taken too long yet.
  fileprivate var isRecent: Bool { BootTime.now.seconds(since: self) < BufferedSource.silenceLimit }
}
