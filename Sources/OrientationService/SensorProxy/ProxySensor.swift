// SPDX-License-Identifier: Apache-2.0

// The seam between SensorProxy and what samples for it. Whatever samples a kind of sensor reports its state here, and is
// notified when it is to run; SensorClaims does all that has to do with clients, alike for every kind.

/// One kind of sensor: what a sampler reports of it, and whether it is to run.
///
/// It is for the main thread only.
final class ProxySensor {
  /// What the sampler reported last.
  private(set) var state = SensorState<ProxyReading>.absent

  /// The last reading, also after the sensor was stopped; the one that stands for none once the sensor is lost.
  private(set) var reading = ProxyReading()

  /// The clients that have claimed it, and are allowed to.
  private(set) var claimants: [String] = []

  /// Whether the sensor is to run.
  var isWanted: Bool { !claimants.isEmpty }

  /// Called when the sensor is to run, and when it is not any more.
  ///
  /// The sampler sets it. It may report at once, and it may be called while there is no sensor.
  var whenWanted: (_ isWanted: Bool) -> Void = { _ in }

  /// Called when other clients than before have claimed it, before ``whenWanted``; the sampler sets it.
  var whenClaimed: () -> Void = {}

  /// Called after each report.
  ///
  /// The claims set it.
  var whenReported: () -> Void = {}

  /// Has the sensor run for these clients, or not for none; for the claims only.
  func want(by claimants: [String]) {
    guard claimants != self.claimants else { return }
    let wasWanted = isWanted
    self.claimants = claimants
    whenClaimed()
    if isWanted != wasWanted { whenWanted(isWanted) }
  }

  /// Takes in what the sampler knows now; for the sampler only.
  func report(_ state: SensorState<ProxyReading>) {
    guard state != self.state else { return }
    self.state = state
    switch state {
    case .active(let reading): self.reading = reading
    case .absent, .failed: reading = ProxyReading()
    case .idle, .starting: break
    }
    reading.isPresent = state.isPresent
    whenReported()
  }
}
