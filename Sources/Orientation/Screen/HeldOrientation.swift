// SPDX-License-Identifier: Apache-2.0

// An app may hold the interface to some orientations while it is on the screen, as the topmost view controller does in UIKit. A
// hold is laid over what the person and the device do, and over the holds before it, and changes none of that: when it ends, the
// interface has the orientation that it would have without it. So each hold has an orientation of its own, which moves on while
// a newer hold covers it.

/// What an app holds the interface to.
package struct InterfaceHold: Equatable, Sendable {
  /// Distinguishes the hold from others.
  package let number: UInt32
  /// The orientations; not empty.
  package let mask: InterfaceOrientationMask

  /// Creates a hold.
  package init(number: UInt32, mask: InterfaceOrientationMask) {
    self.number = number
    self.mask = mask
  }
}

/// The orientation of the interface on the device's own screen, with the holds of apps laid over it.
package struct HeldOrientation: Equatable, Sendable {
  /// What the interface would do without holds.
  package private(set) var unheld: ScreenOrientation

  /// A hold, and the orientation that the interface has if no newer one counts.
  private struct Layer: Equatable, Sendable {
    let hold: InterfaceHold
    var orientation: InterfaceOrientation
  }

  /// The holds, the oldest first.
  private var layers: [Layer] = []

  /// Lays no hold over an interface.
  package init(_ unheld: ScreenOrientation) {
    self.unheld = unheld
  }

  /// The interface's orientation; never unknown.
  package var current: InterfaceOrientation { counting?.orientation ?? unheld.current }

  /// Whether nothing has decided on the orientation yet; see ``ScreenOrientation/isUndecided``.
  package var isUndecided: Bool { (counting.map { awaitsDevice(for: $0) } ?? true) && unheld.isUndecided }

  /// Whether holds are laid over the interface, also such as wait.
  package var isHeld: Bool { !layers.isEmpty }

  /// Whether a hold of several orientations moves nothing, because it will be known in a moment how the device is held: otherwise an
  /// interface that has to leave its orientation might turn twice.
  ///
  /// ``hold(_:on:since:)`` ends this.
  package var awaitsDevice = false

  /// What the interface may have now: what the person supports, and of that what the newest hold allows; never empty.
  ///
  /// A hold that allows none of it waits, and counts for nothing.
  package var effective: InterfaceOrientationMask { counting.map(allowed) ?? unheld.supported }

  /// The newest hold that does not wait.
  private var counting: Layer? { layers.last { !allowed(by: $0).isEmpty } }

  private func allowed(by layer: Layer) -> InterfaceOrientationMask {
    unheld.supported.intersection(layer.hold.mask)
  }

  /// The orientation that an attempt to rotate to the device's would lead to now; the present one if nothing would happen.
  package var deviceCounterpart: InterfaceOrientation {
    guard unheld.lock == .unlocked, let leader = unheld.leader, effective.contains(leader) else {
      return current
    }
    return leader
  }

  /// The orientation that the interface would take if rotation were unlocked now.
  ///
  /// - Parameter device: how the device is held in fact, which the lock may hide from the interface.
  /// - Returns: that orientation; the present one while rotation is unlocked.
  package func suggested(on device: DeviceOrientation) -> InterfaceOrientation {
    guard unheld.lock == .locked else { return current }
    var unlocked = self
    unlocked.change {
      $0.deviceTurned(to: device)
      $0.set(.unlocked)
    }
    return unlocked.current
  }

  // MARK: What moves it

  /// Has something happen to the interface that is not a hold.
  package mutating func change(_ change: (inout ScreenOrientation) -> Void) {
    let before = unheld
    change(&unheld)
    settle(after: before, on: nil)
  }

  /// Says which orientations the interface may have without a hold; see ``ScreenOrientation/support(_:)``.
  ///
  /// - Parameters:
  ///   - mask: the orientations.
  ///   - device: how the device is held in fact.
  /// - Throws: ``UnsupportedOrientation/empty``, and nothing has changed.
  package mutating func support(
    _ mask: InterfaceOrientationMask, on device: DeviceOrientation
  ) throws(UnsupportedOrientation) {
    let before = unheld
    try unheld.support(mask)
    settle(after: before, on: device)
  }

  /// Rotates the interface by hand, if the orientation is among the ``effective`` ones.
  ///
  /// - Parameter orientation: not unknown.
  /// - Throws: ``UnsupportedOrientation``, and nothing has changed.
  package mutating func rotate(to orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    try check(orientation)
    let before = unheld
    try unheld.rotate(to: orientation)
    settle(after: before, on: nil)
    turn(to: orientation)
  }

  /// Checks that the interface may have an orientation now.
  ///
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``; ``UnsupportedOrientation/held(_:)`` if only a hold does not allow it.
  package func check(_ orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    try unheld.check(orientation)
    guard effective.contains(orientation) else { throw .held(effective) }
  }

  /// Takes the device's orientation, also if another one was chosen by hand; see ``deviceCounterpart``.
  package mutating func attemptRotationToDevice() {
    let counterpart = deviceCounterpart
    guard counterpart != current else { return }
    change { $0.attemptRotationToDevice() }
    turn(to: counterpart)
  }

  /// Lays these holds over the interface, instead of those before.
  ///
  /// - Parameters:
  ///   - holds: the holds, the oldest first.
  ///   - device: how the device is held in fact. If a hold does not allow the present orientation, the interface takes the device's,
  ///     even if it is locked: as it has to move, it should be upright.
  ///   - before: the ``orientation(under:)`` holds before a restart, by their numbers.
  package mutating func hold(
    _ holds: [InterfaceHold], on device: DeviceOrientation, since before: [UInt32: InterfaceOrientation] = [:]
  ) {
    let present = current
    layers = holds.map { hold in
      layers.first { $0.hold == hold } ?? Layer(hold: hold, orientation: before[hold.number] ?? present)
    }
    awaitsDevice = awaitsDevice && device == .unknown
    settle(after: unheld, on: device)
  }

  // MARK: Under the holds

  /// The orientation that the interface has if no newer hold than this one counts; nil if there is no such hold.
  package func orientation(under hold: UInt32) -> InterfaceOrientation? {
    layers.first { $0.hold.number == hold }?.orientation
  }

  private func awaitsDevice(for layer: Layer) -> Bool {
    awaitsDevice && unheld.followsDevice && allowed(by: layer).rawValue.nonzeroBitCount > 1
  }

  /// Has all holds that allow an orientation take it.
  private mutating func turn(to orientation: InterfaceOrientation) {
    for index in layers.indices where allowed(by: layers[index]).contains(orientation) {
      layers[index].orientation = orientation
    }
  }

  private mutating func settle(after before: ScreenOrientation, on device: DeviceOrientation?) {
    for index in layers.indices {
      layers[index].orientation = orientation(of: layers[index], after: before, on: device)
    }
  }

  /// The orientation under a hold, after something has happened.
  ///
  /// It moves with the interface without holds, and with the device, unless a person has chosen another orientation. Otherwise it
  /// stays. If it must move, because its orientation is not allowed or the hold counts again after it waited, it becomes upright.
  private func orientation(
    of layer: Layer, after before: ScreenOrientation, on device: DeviceOrientation?
  ) -> InterfaceOrientation {
    let allowed = allowed(by: layer)
    guard let first = allowed.first else { return layer.orientation }
    if unheld.current != before.current, allowed.contains(unheld.current) { return unheld.current }
    if let leader = unheld.leader, unheld.follows(leader, after: before), allowed.contains(leader) {
      return leader
    }
    if awaitsDevice(for: layer) { return layer.orientation }
    let hasWaited = before.supported.isDisjoint(with: layer.hold.mask)
    if !hasWaited, allowed.contains(layer.orientation) { return layer.orientation }
    let leader = device.flatMap { unheld.leader(on: $0) } ?? unheld.leader
    for orientation in [leader, layer.orientation, unheld.current] {
      if let orientation, allowed.contains(orientation) { return orientation }
    }
    return first
  }
}
