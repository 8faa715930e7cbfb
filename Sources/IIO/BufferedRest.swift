// SPDX-License-Identifier: Apache-2.0

// How a buffered sensor rests. A hub with change sensitivity keeps silent until something changes, and is only asked now
// and then whether it still lives. Another sensor is slowed down; and one that cannot be, or has its samples in
// blocks, goes on as it is, while its samples are fetched seldom.

import CLinux
public import Orientation

/// How long a hub is silent before it is asked whether it is so rightly, in seconds: soon once, and then rarely.
///
/// A hub that has never reported anything is asked soon each time. It answers as any other where it was left without power, as
/// after a sleep of the machine (see `IdlePower.swift`), should that not have been mended.
private struct CheckPause {
  private var checks = 0

  mutating func next(hasReported: Bool) -> Double {
    defer { checks &+= 1 }
    return checks == 0 || !hasReported ? BufferedSource.silenceLimit : checks == 1 ? 30 : 60
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
    reportsChangesOnly = sensitivity?.reportChangesOnly() == true
    if reportsChangesOnly {
      switch try nextChange(leaving: rest, interruptedBy: wakeUp) {
      case .sample(let sample): return sample
      case .interruption: return nil
      case .chatter:
        sensitivity?.giveUp()
        reportsChangesOnly = false
      }
    }
    let isSlow = isSingleSample && slowReports?.begin() == true
    defer { if isSlow { slowReports?.end() } }
    return isSlow
      ? try nextReport(leaving: rest, interruptedBy: wakeUp)
      : try nextFetched(leaving: rest, interruptedBy: wakeUp)
  }

  /// What ended the wait for a change.
  private enum Change {
    case sample(Sample<SensorFrame>)
    case interruption
    /// The hub reports although nothing changes.
    case chatter
  }

  /// Sleeps until the hub reports a change.
  private mutating func nextChange(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Change {
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
        if reports >= Self.idleReports, Double(reports) * Pace.restPeriod > heard.seconds(since: start) {
          return .chatter
        }
      }
    }
  }

  /// Waits for one report of a slowed sensor after the other.
  private mutating func nextReport(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while true {
      let result = wakeUp.wait(for: fileDescriptor, seconds: Self.silenceLimit)
      guard result != .signalled else { return nil }
      if try readBlock() {
        if let sample = nextOfBlock(leaving: rest) { return sample }
      } else if result == .deadline {
        throw .silent(device: device, seconds: Self.silenceLimit)
      }
    }
  }

  /// Fetches now and then what came meanwhile.
  private mutating func nextFetched(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while wakeUp.wait(seconds: max(Pace.restPeriod, blockPeriod)) != .signalled {
      try checkOwnership()
      if try readBlock() {
        if let sample = nextOfBlock(leaving: rest) { return sample }
      } else if BootTime.now.seconds(since: heard) >= Self.silenceLimit {
        throw .silent(device: device, seconds: Self.silenceLimit)
      }
    }
    return nil
  }

  /// The first sample of the present block that is off the rest; nil where it has none.
  private mutating func nextOfBlock(leaving rest: Rest) -> Sample<SensorFrame>? {
    skipOfBlock { rest.holds($0) }
    return hasNextOfBlock ? nextOfBlock() : nil
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
    let silent = SourceError.silent(device: device, seconds: Self.silenceLimit)
    guard var answer = answer() else { throw silent }
    // The kernel makes samples of the answers too, so the next poll would not wait. The latest may also be a report.
    answer = try latest() ?? answer
    heard = .now
    guard let last, !Rest(at: last, tolerance: Self.unreportedChange).holds(answer) else { return answer }
    // It may have begun to move right now. Then the hub says so by itself.
    switch try refill(within: 3 * blockPeriod + 0.1, interruptedBy: wakeUp) {
    case .block: return answer
    case .silence: throw silent
    case .interruption: return nil
    }
  }

  /// What the hub answers when it is asked for its axes; nil where it does not, or not in time.
  private borrowing func answer() -> Acceleration<SensorFrame>? {
    let asked = BootTime.now
    func ask(_ axis: Rest.Axis) -> Double? {
      guard let reading = try? sensitivity?.axes.acceleration(on: axis),
        BootTime.now.seconds(since: asked) < Self.silenceLimit
      else { return nil }
      return reading
    }
    guard let x = ask(.x), let y = ask(.y), let z = ask(.z) else { return nil }
    return Acceleration(x: x, y: y, z: z)
  }
}
