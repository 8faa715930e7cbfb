// SPDX-License-Identifier: Apache-2.0

// All waiting is in one event loop, so a signal ends the monitor at once even if the daemon hangs.

package import DaemonClient
package import Following
import Orientation
package import Systemd

/// Follows the daemon, and prints each change; subscribes to notifications if the printer shows the device.
package final class Monitor {
  /// The closest contact with a daemon so far.
  private enum Contact {
    /// None ran.
    case none
    /// One ran, and none has answered.
    case seen
    /// One has answered.
    case answered
  }

  private let printer: any MonitorPrinter
  private let limit: Int?
  private let loop: EventLoop
  private var stopConditions: StopConditions?
  private var watch: DaemonWatch?
  private var contact = Contact.none
  private var printed = 0
  private var failure: CommandError?

  /// Connects to the bus, and adds the match rules.
  ///
  /// - Parameters:
  ///   - place: the bus.
  ///   - printer: prints the changes.
  ///   - limit: the number of lines to print; nil is no limit.
  ///   - seconds: how long to run; nil is no limit.
  /// - Throws: ``CommandError`` if there is no bus.
  package init(
    _ place: Bus.Address, printer: any MonitorPrinter, limit: Int?, seconds: Double?
  ) throws(CommandError) {
    self.printer = printer
    self.limit = limit
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    watch = try place.watch(for: printer.showsDevice ? .turns : .screen, in: loop) { [unowned(unsafe) self] in
      heard($0)
    }
    // Only now: a bus that does not answer at all must not keep a signal from ending the command.
    try inEventLoop { () throws(SystemdError) in
      stopConditions = try StopConditions(loop: loop, seconds: seconds) { [unowned(unsafe) self] in
        ended(isTimeUp: $0)
      }
    }
  }

  /// Prints changes until a stop condition is met.
  ///
  /// - Throws: ``CommandError`` if the connection to the bus has ended, fewer lines than the limit were printed in time, or no
  ///   daemon ran or answered.
  package func run() throws(CommandError) {
    defer { printer.finish() }
    try inEventLoop { () throws(SystemdError) in try printer.start(on: loop, for: self) }
    watch?.start()
    if watch?.daemon == nil, failure == nil { print(printer.showUnavailable()) }
    try inEventLoop { () throws(SystemdError) in try loop.run() }
    if let failure { throw failure }
  }

  // MARK: The daemon

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .appeared: if contact == .none { contact = .seen }
    case .device(let device):
      contact = .answered
      printer.show(device)
      printer.note(device.sensorNotice)
      show(device.orientation)
    case .deviceChanged(let before, let device):
      if let notice = device.sensorNotice(after: before) { printer.note(notice) }
      printer.show(device)
    case .turned(let orientation, let time): show(orientation, decidedAt: time)
    case .screen(let screen):
      contact = .answered
      print(printer.show(screen))
    case .heldAgain: break
    case .waiting(let wait, let problem):
      printer.note(problem.text)
      // Without a daemon, the screen stays as it is.
      if wait == .stopped { show(.unknown) }
      if wait != .notStarted { print(printer.showUnavailable()) }
    case .misunderstood(let problem): printer.note(problem.text)
    case .refused(let problem), .disconnected(let problem):
      print(printer.showUnavailable())
      fail(problem.text)
    }
  }

  // MARK: Output

  private func show(_ orientation: DeviceOrientation, decidedAt sampleTime: BootTime? = nil) {
    print(printer.show(orientation, decidedAt: sampleTime))
  }

  /// Prints lines, as many as are still wanted; the monitor ends after the last one.
  private func print(_ lines: [String]) {
    do throws(OutputError) {
      for line in lines where printed < limit ?? .max {
        try StandardOutput.write("\(line)\n")
        printed += 1
      }
      if printed == limit { end() }
    } catch {
      outputFailed(error)
    }
  }

  // MARK: The end

  private func ended(isTimeUp: Bool) {
    if isTimeUp {
      switch contact {
      case .none: return fail("orientationd did not run during that time")
      case .seen: return fail("orientationd did not answer during that time")
      case .answered: break
      }
      if let limit, printed < limit {
        return fail("only \(printed) of \(limit) lines were printed in time")
      }
    }
    end()
  }

  private func fail(_ reason: String) {
    failure = failure ?? CommandError(reason)
    end()
  }

  /// Ends the monitor without an error, as when the user wants that.
  package func end() {
    // Without waiting for the end of the loop.
    watch?.end()
    loop.exit(0)
  }

  /// Ends the monitor, because the output cannot be written.
  package func outputFailed(_ error: OutputError) {
    switch error {
    case .closed: end()
    case .failed: fail(error.description)
    }
  }

  // MARK: For a printer that has keys

  /// Calls the daemon, without waiting for the answer.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - answered: receives the answer, which may be an error.
  /// - Returns: whether it was called; not without a daemon.
  package func call(_ call: DaemonCall, answered: @escaping (borrowing Message) -> Void) -> Bool {
    watch?.call(call, answered: answered) ?? false
  }
}

// What people are told of the sensor, in a sentence.

extension DeviceSnapshot {
  /// What is told of the first state of a daemon.
  var sensorNotice: String {
    guard hasAccelerometer else {
      return "no accelerometer found; waiting for one to appear (see orientationctl sensors)"
    }
    return sensorProblem ?? "listening to the sensor \(sensorName)"
  }

  /// What is told of a change; nil if it is of no interest to people.
  func sensorNotice(after before: DeviceSnapshot) -> String? {
    guard hasAccelerometer else {
      return before.hasAccelerometer
        ? "the sensor \(before.sensorName) was removed; waiting for one to appear" : nil
    }
    guard before.hasAccelerometer else { return "the sensor \(sensorName) has appeared" }
    guard sensorName == before.sensorName else { return "listening to the sensor \(sensorName)" }
    guard sensorStatus != before.sensorStatus else { return nil }
    if let sensorProblem { return sensorProblem }
    let worksAgain = before.sensorProblem != nil && sensorStatus == SensorStatus.active.rawValue
    return worksAgain ? "the sensor \(sensorName) works again" : nil
  }

  private var sensorProblem: String? {
    switch sensorStatus {
    case SensorStatus.failed.rawValue:
      "the sensor \(sensorName) cannot be read; retrying periodically (see the journal)"
    case SensorStatus.silent.rawValue: "the sensor \(sensorName) delivers nothing"
    default: nil
    }
  }
}
