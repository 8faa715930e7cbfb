// SPDX-License-Identifier: Apache-2.0

// The seam between SensorProxy and what samples for it. Who samples a kind of sensor reports its state here, and is told when
// somebody wants it to run; SensorProxyService does all that has to do with clients, alike for every kind.

/// A kind of sensor as far as a sampler knows it.
enum ProxySensorState<Reading: Equatable>: Equatable {
  /// There is none.
  case absent
  /// There is one, and it does not run.
  case idle
  /// It is being started, and has not said anything yet.
  case starting
  /// It says this.
  case active(Reading)
  /// It should run and says nothing of use.
  case failed

  /// Whether there is one.
  var isPresent: Bool { self != .absent }

  /// Whether it runs and has said something.
  var isActive: Bool { if case .active = self { true } else { false } }

  /// Whether waiting would bring a first reading, or nobody knows yet.
  var isPending: Bool { self == .idle || self == .starting }
}

/// One kind of sensor: what a sampler reports of it, and whether it is to run.
///
/// It is for the main thread only.
final class ProxySensor<Reading: Equatable> {
  private let nothing: Reading

  /// What the sampler reported last.
  private(set) var state = ProxySensorState<Reading>.absent

  /// What the sensor said last, also after it was stopped; what stands for nothing once it is lost.
  private(set) var reading: Reading

  /// Whether somebody wants the sensor to run.
  private(set) var isWanted = false

  /// Called when somebody wants the sensor to run, and when nobody does any more.
  ///
  /// The sampler sets it. It may report at once, and it may be called while there is no sensor.
  var whenWanted: (_ isWanted: Bool) -> Void = { _ in }

  /// Called after each report.
  ///
  /// The service sets it.
  var whenReported: () -> Void = {}

  /// A kind of which there is no sensor yet.
  ///
  /// - Parameter nothing: the reading that stands for none.
  init(nothing: Reading) {
    self.nothing = nothing
    reading = nothing
  }

  /// Has the sensor run or not; for the service only.
  func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    whenWanted(isWanted)
  }

  /// Takes in what the sampler knows now; for the sampler only.
  func report(_ state: ProxySensorState<Reading>) {
    guard state != self.state else { return }
    self.state = state
    switch state {
    case .active(let reading): self.reading = reading
    case .absent, .failed: reading = nothing
    case .idle, .starting: break
    }
    whenReported()
  }
}
