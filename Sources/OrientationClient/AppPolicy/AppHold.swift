// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The app's hold at the screen, which follows what the app wants, one step at a time.
///
/// What is wanted may change during a step: the next step then leads to the newest.
@MainActor
final class AppHold {
  /// What the interface is to be held to.
  struct Wanted: Equatable {
    var orientations: InterfaceOrientationMask
    /// Where the interface is to go first, before it is free among the orientations.
    var start: Start?
  }

  /// An orientation in which the interface is placed once; later ones have other numbers.
  struct Start: Equatable {
    let orientation: InterfaceOrientation
    let number: Int
  }

  private typealias Held = (wanted: Wanted, hold: any InterfaceOrientationHolding)

  private let screen: any InterfaceOrientationScreen
  private let application: String

  /// What the interface is to be held to; nil for no hold.
  var wanted: Wanted?
  /// Where the interface would be if it could follow the device, by what is wanted.
  var home: InterfaceOrientation?

  private var held: Held?
  private var refusal: (wanted: Wanted, error: OrientationError)?
  /// The number of the start that was made last.
  private var started: Int?

  init(_ screen: any InterfaceOrientationScreen, application: String) {
    self.screen = screen
    self.application = application
  }

  /// Whether a step is needed.
  var isUnsettled: Bool {
    guard let wanted else { return held != nil }
    return wanted != held?.wanted && wanted != refusal?.wanted
  }

  /// Takes the wanted hold and then releases the one before, so that the interface does not move in between.
  ///
  /// - Throws: ``OrientationError`` of the screen; then no hold is left, because the one before was for other rules. The same hold
  ///   is not requested again until ``retry()``.
  func step() async throws(OrientationError) {
    guard isUnsettled else { return }
    guard let wanted else { return await replace(nil) }
    let start = start(for: wanted)
    // A hold begins in the present orientation. So a hold to one orientation places the interface for the next one.
    var placing: (any InterfaceOrientationHolding)?
    do throws(OrientationError) {
      if let start, screen.screenState.interface != start {
        placing = try await hold(InterfaceOrientationMask(start))
      }
      let hold = try await hold(wanted.orientations)
      refusal = nil
      await replace((wanted, hold))
      await placing?.release()
    } catch {
      refusal = (wanted, error)
      await replace(nil)
      await placing?.release()
      throw error
    }
  }

  /// Requests a refused hold again at the next step.
  func retry() {
    refusal = nil
  }

  /// Requests a hold again that no daemon has answered: the screen has reported a state, so there may be a daemon now.
  func retryAfterSilence() {
    guard let kind = refusal?.error.kind, kind == .daemonUnavailable || kind == .noAnswer else { return }
    retry()
  }

  /// Where the interface is to go before the wanted hold; nil if it may begin where it is.
  private func start(for wanted: Wanted) -> InterfaceOrientation? {
    if let start = wanted.start, start.number != started {
      started = start.number
      return start.orientation
    }
    // If the hold before has kept the interface from following the device, the next one would begin sideways.
    guard let held, let home, held.wanted.start != nil || !held.wanted.orientations.contains(home) else {
      return nil
    }
    return wanted.orientations.contains(screen.screenState.interface) ? home : nil
  }

  private func hold(
    _ orientations: InterfaceOrientationMask
  ) async throws(OrientationError) -> any InterfaceOrientationHolding {
    try await screen.hold(
      orientations, application: application, reason: "its view is for \(orientations.names)")
  }

  private func replace(_ next: Held?) async {
    let old = held?.hold
    held = next
    await old?.release()
  }
}
