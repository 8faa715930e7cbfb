// SPDX-License-Identifier: Apache-2.0

// How a buffered sensor saves power while the tablet is at rest. A hub that reports only changes, because it is set to or
// because it always does, is silent until something changes; it is only polled from time to time to check that it works.
// A chip with an interrupt reports motion (MotionRest.swift). The sampling frequency of other sensors is lowered. If that is
// not possible, or if samples come in blocks, the sensor
// continues as it is, but its samples are read seldom.

package import Orientation

/// How long a hub may be silent before it is polled, in seconds: first a short time, then a long one.
///
/// For a hub that has never reported anything, the pause grows step by step: if the tablet lay still for some time and was
/// then turned, the turn is noticed after the same time at the latest. Such a hub also answers when it was left without
/// power, as after a sleep of the machine (see `IIODevice.powerDownIfIdle`), if that was not prevented, and when none of its
/// interrupts arrive.
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

/// What the silence of a sensor means that was not set to report only changes.
enum Silence {
  /// Not known yet: after it, the sensor is polled.
  case unexplained
  /// Nothing changes: the sensor reports only changes although it was not set to.
  case nothingNew
  /// Its buffer does not work: it has reported the same value twice, which one that reports only changes never does.
  case failure
  /// The same: its answer differed from its reports.
  case withheld
}

/// What ended a wait at rest.
enum RestEnd {
  case sample(Sample<SensorFrame>)
  case interruption
  /// The sensor reports although nothing changes, more often than it was set to.
  case chatter
  /// It reports nothing.
  case silence
}

extension BufferedSource {
  /// After so many reports without a change, a hub is treated as one that does not report only changes.
  private static let idleReports = 8

  /// Waits until the tablet leaves its rest.
  ///
  /// - Throws: as ``next(interruptedBy:)``; also `silent` if a silent hub does not answer, or its answer differs from its
  ///   last report.
  package mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    if let sample = nextOfBlock(leaving: rest) { return sample }
    // If the driver's scale is too small, what a hub hides would be much.
    isSetToChanges =
      rest.acceleration.vector.length > 0.6 * standardGravity
      && sensitivity?.reportChangesOnly(beyond: rest.tolerance) == true
    while true {
      switch try nextEnd(of: rest, interruptedBy: wakeUp) {
      case .sample(let sample): return sample
      case .interruption: return nil
      case .chatter:
        sensitivity?.giveUp()
        isSetToChanges = false
        if silence == .nothingNew { silence = .unexplained }
      case .silence:
        guard let answer = try learnSilence(interruptedBy: wakeUp) else { return nil }
        if !rest.holds(answer) { return sample(answer, at: .now) }
      }
    }
  }

  /// Restores the change sensitivity that a rest has set, which hides changes of some degrees.
  package mutating func reportEverything() {
    sensitivity?.restore()
    isSetToChanges = sensitivity?.isInEffect == true
  }

  /// Waits in the way that costs least.
  private mutating func nextEnd(
    of rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd {
    if reportsChangesOnly { return try nextReport(leaving: rest, interruptedBy: wakeUp) }
    if let end = try nextMotion(leaving: rest, interruptedBy: wakeUp) { return end }
    return try nextSeldom(leaving: rest, interruptedBy: wakeUp)
  }

  /// Waits at rest for a sensor that reports all the time, with few wakeups.
  private mutating func nextSeldom(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd {
    guard isSingleSample, slowReports?.begin() == true else {
      return try nextFetched(leaving: rest, interruptedBy: wakeUp)
    }
    defer { slowReports?.end() }
    let end = try nextReport(leaving: rest, interruptedBy: wakeUp)
    guard case .chatter = end else { return end }
    slowReports?.giveUp()
    return try nextFetched(leaving: rest, interruptedBy: wakeUp)
  }

  /// Sleeps until a hub reports a change, or a sensor whose frequency is lowered reports.
  private mutating func nextReport(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd {
    let start = BootTime.now
    var looks = RestLooks(at: rest, since: start)
    var reports = 0
    var pause = CheckPause()
    while true {
      let patience =
        reportsChangesOnly
        ? pause.next(hasReported: hasReported) : max(Self.silenceLimit, 3 * (slowReports?.period ?? 0))
      switch try refill(within: patience, interruptedBy: wakeUp) {
      case .interruption: return .interruption
      case .silence:
        guard reportsChangesOnly else { return .silence }
        guard let reading = try confirmSilence(interruptedBy: wakeUp) else { return .interruption }
        if !rest.holds(reading) { return .sample(sample(reading, at: .now)) }
      case .block:
        if let sample = nextOfBlock(leaving: rest) { return .sample(sample) }
        reports &+= 1
        let seconds = heard.seconds(since: start)
        // Firmware may accept a sensitivity or a slow interval, and still report as before.
        let tolerance = reportsChangesOnly ? 1 : 1.5
        if reports >= Self.idleReports, Double(reports) * RestDetector.restPeriod > tolerance * seconds {
          return .chatter
        }
        if let last { looks.found(last) }
        if !reportsChangesOnly { slowReports?.adapt(toPeriod: looks.pause(at: heard)) }
      }
    }
  }

  /// Reads from time to time what has arrived.
  private mutating func nextFetched(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> RestEnd {
    while wakeUp.wait(seconds: max(RestDetector.restPeriod, blockPeriod)) != .signalled {
      try buffer.checkOwnership()
      if try readBlock() == .present {
        // More than a block may have arrived: what is left would be read later and later.
        for _ in 0..<2 * IIOBuffer.blocksInKernel {
          if let sample = nextOfBlock(leaving: rest) { return .sample(sample) }
          guard isBlockFull, try readScans() else { break }
        }
      } else if BootTime.now.seconds(since: heard) >= Self.silenceLimit {
        return .silence
      }
    }
    return .interruption
  }

  /// The first sample of the present block that is off the rest; nil if there is none.
  private mutating func nextOfBlock(leaving rest: Rest) -> Sample<SensorFrame>? {
    skipOfBlock { rest.holds($0) }
    return hasNextOfBlock ? nextOfBlock() : nil
  }

  /// Handles a silence that was not requested: either the hub reports only changes, or its buffer does not work.
  ///
  /// - Returns: the hub's answer, from which on its silence means that nothing changes; nil when `wakeUp` was signalled.
  /// - Throws: `silent`; also if the hub has reported the same value twice, because a sensor that reports everything has no
  ///   reason to be silent.
  mutating func learnSilence(
    interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    guard silence != .failure else { throw silent }
    guard let answer = try confirmSilence(interruptedBy: wakeUp) else { return nil }
    silence = .nothingNew
    return answer
  }

  /// Polls a silent hub, to distinguish a hub that has nothing to report from one that does not work.
  ///
  /// A hub that does not work does not answer, or the kernel returns zeros after 20 s (hid-sensor-hub in Linux 6.1).
  ///
  /// - Returns: the answer; nil when `wakeUp` was signalled.
  /// - Throws: `silent`.
  mutating func confirmSilence(
    interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Acceleration<SensorFrame>? {
    guard var answer = answer() else { throw silent }
    // The kernel also stores its answers in the buffer, so the next poll would return at once. The latest sample may also
    // be a report.
    answer = try latest() ?? answer
    heard = .now
    guard let last else {
      // There is no report to compare it with.
      guard quantity == .angularVelocity || answer.mayBeGravity else { throw silent }
      return answer
    }
    guard !Rest(at: last, tolerance: quantity.unreportedChange).holds(answer) else { return answer }
    // The tablet may have begun to move just now. Then the hub reports that itself.
    switch try refill(within: 3 * blockPeriod + 0.1, interruptedBy: wakeUp) {
    case .block: return answer
    case .silence:
      silence = .withheld
      throw silent
    case .interruption: return nil
    }
  }

  /// The hub's answer for its axes; nil if it does not answer, or not in time.
  private borrowing func answer() -> Acceleration<SensorFrame>? {
    switch axes {
    case .none: return nil
    // The answer of a chip proves nothing: its buffer may need an interrupt that does not arrive.
    case .some where !isHub: return nil
    case .some(let axes):
      let asked = BootTime.now
      guard let x = try? axes.acceleration(on: .x), asked.isRecent,
        let y = try? axes.acceleration(on: .y), asked.isRecent,
        let z = try? axes.acceleration(on: .z), asked.isRecent
      else { return nil }
      return Acceleration(x: x, y: y, z: z)
    }
  }

  /// What the chip measures at present, while its buffer is stopped; nil if it cannot be polled.
  borrowing func readAxes() throws(SourceError) -> Acceleration<SensorFrame>? {
    switch axes {
    case .none: nil
    case .some(let axes): try axes.acceleration()
    }
  }
}

extension BootTime {
  /// Whether a sensor that was polled at this instant has not taken too long yet.
  fileprivate var isRecent: Bool { BootTime.now.seconds(since: self) < BufferedSource.silenceLimit }
}

extension AxisQuantity {
  /// How far the hub's answer may be from its last report on an axis, several times what a change sensitivity hides: 0.25 g in m/s^2, or
  /// 14 degrees a second in rad/s.
  fileprivate var unreportedChange: Double {
    switch self {
    case .acceleration, .gravity: 0.25 * standardGravity
    case .angularVelocity: 0.25
    }
  }
}
