// SPDX-License-Identifier: Apache-2.0

// What the interface on the screen does when the device turns. Three things determine its orientation:
//
//   the device    the interface follows it upright, if that is supported and nothing prevents it
//   the user      an orientation that was set by hand stays until the device is turned to another one
//   the supported an interface whose orientation is no longer supported gets the first supported one
//
// The lock, and the laptop mode of a convertible, prevent the interface from following the device; the user can always
// rotate it.

/// The orientation of the interface on the device's own screen.
package struct ScreenOrientation: Equatable, Sendable {
  /// Whether turns of the device move the interface.
  package enum Following: String, Sendable, BitwiseCopyable {
    /// They do.
    case device
    /// They do not: the interface keeps its home, as in a laptop.
    case nothing
  }

  /// The origin of the interface's orientation.
  private enum Origin: Sendable, BitwiseCopyable {
    /// It followed the device, or has its home.
    case followed
    /// The configuration says so: it stays as if the user had chosen it, but only until the next start.
    case initial
    /// The user has chosen it: it stays until the device turns to another upright orientation.
    case chosen
  }

  /// The interface's orientation; never unknown.
  package private(set) var current: InterfaceOrientation
  /// The orientations that the interface may have; never empty.
  package private(set) var supported: InterfaceOrientationMask
  /// Whether the interface is locked.
  package private(set) var lock: RotationLock

  private var home: InterfaceOrientation
  private var origin: Origin
  /// Whether turns of the device move it now.
  package private(set) var following = Following.device
  private var device: DeviceOrientation
  /// The last orientation of the device in which it was upright; nil if it was not yet.
  package private(set) var lastUpright: InterfaceOrientation?

  /// Creates the orientation of an interface.
  ///
  /// - Parameters:
  ///   - home: the orientation at the start, and of a laptop; not unknown.
  ///   - chosen: an orientation that the user chose, or that was locked, before this start. The orientation of the device
  ///     at the start does not override it, but its next turn does.
  ///   - initial: the same, of the configuration, if nothing was chosen.
  ///   - followed: the orientation of an interface that has followed its device before a restart.
  ///   - upright: the last orientation of its device in which that was upright, before a restart.
  ///   - device: the orientation of its device as clients see it, which the interface has followed, or not, already.
  ///   - supported: the orientations that the interface may have; an empty set means all.
  ///   - lock: whether the interface is locked.
  package init(
    home: InterfaceOrientation, chosen: InterfaceOrientation? = nil, initial: InterfaceOrientation? = nil,
    followed: InterfaceOrientation? = nil, upright: InterfaceOrientation? = nil,
    device: DeviceOrientation = .unknown,
    supported: InterfaceOrientationMask = .all, lock: RotationLock = .unlocked
  ) {
    self.home = home
    self.supported = supported.isEmpty ? .all : supported
    self.lock = lock
    current = chosen ?? initial ?? followed ?? home
    lastUpright = upright
    self.device = device
    origin = chosen != nil ? .chosen : initial != nil ? .initial : .followed
    leaveUnsupported()
  }

  /// The orientation that must be saved for restarts: one that the user has chosen or that is locked; otherwise nil.
  package var lasting: InterfaceOrientation? {
    lock == .locked || origin == .chosen ? current : nil
  }

  /// Whether it still has the orientation that the configuration says.
  package var isInitial: Bool { origin == .initial }

  /// Whether turns of the device move the interface, unless it is locked.
  var followsDevice: Bool { following == .device }

  /// Whether nothing has decided on the orientation yet: neither the device, which may lie flat, nor a person, nor the laptop mode.
  package var isUndecided: Bool {
    lastUpright == nil && origin == .followed && lock == .unlocked && followsDevice
      && supported.contains(home)
  }

  // MARK: The device

  /// Called when the device's orientation, as clients see it, has changed.
  package mutating func deviceTurned(to orientation: DeviceOrientation) {
    guard orientation != device else { return }
    device = orientation
    guard let upright = InterfaceOrientation(uprightOn: orientation) else { return }
    let isTurn = lastUpright != nil && upright != lastUpright
    lastUpright = upright
    if following == .device, origin == .followed || isTurn { follow() }
  }

  /// Called when it turns out that another orientation is that of the start, and of a laptop.
  package mutating func set(home: InterfaceOrientation) {
    // The interface still has its initial orientation.
    let isAtStart = current == self.home && origin == .followed && lastUpright == nil
    self.home = home
    if isAtStart { current = home }
    if following == .nothing { follow() }
    leaveUnsupported()
  }

  /// Makes the interface follow the device from now on, or keep its home.
  package mutating func follow(_ following: Following) {
    guard following != self.following else { return }
    self.following = following
    guard lock == .unlocked else { return }
    // A fold ends what the person chose, also if the device is not upright now, or not known yet.
    origin = .followed
    follow()
  }

  /// Makes the interface follow the device, or keep its home, after a time in which it was not known which: what the user chose stays,
  /// unless it is another than before.
  package mutating func follow(_ following: Following, since before: Following) {
    guard following != before else { return resume(following) }
    self.following = before
    follow(following)
  }

  /// Makes the interface follow the device, or keep its home, as it did already: what the user chose stays.
  package mutating func resume(_ following: Following) {
    guard origin != .followed else { return follow(following) }
    self.following = following
  }

  // MARK: What is asked for

  /// Locks the interface, or unlocks it: then it takes the present orientation of the device.
  package mutating func set(_ lock: RotationLock) {
    guard lock != self.lock else { return }
    self.lock = lock
    guard lock == .unlocked else { return }
    origin = .followed
    follow()
  }

  /// Rotates the interface by hand, if the orientation is supported; this does not depend on the lock.
  ///
  /// - Parameter orientation: not unknown.
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``; then nothing has changed.
  package mutating func rotate(to orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    try check(orientation)
    current = orientation
    origin = .chosen
  }

  /// Checks that the interface may have an orientation.
  ///
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``
  package func check(_ orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    guard supported.contains(orientation) else { throw .notSupported(supported) }
  }

  /// Takes the orientation of its ``leader``, also if another one was chosen by hand.
  ///
  /// Nothing happens if there is no such orientation, if it is not supported, or if the interface is locked.
  package mutating func attemptRotationToDevice() {
    guard followed != current else { return }
    follow()
  }

  /// Sets the orientations that the interface may have.
  ///
  /// If the present one is not among them, the interface takes the device's, if it follows and that one is supported;
  /// otherwise the first in the order of ``InterfaceOrientationMask/first``. An interface that could not follow the device
  /// before does so now.
  ///
  /// - Throws: ``UnsupportedOrientation/empty``; then nothing has changed.
  package mutating func support(_ mask: InterfaceOrientationMask) throws(UnsupportedOrientation) {
    guard !mask.isEmpty else { throw .empty }
    let wasHindered = leader.map { !supported.contains($0) } ?? false
    supported = mask
    if wasHindered || !mask.contains(current) { follow() }
    leaveUnsupported()
  }

  // MARK: Moving

  /// The orientation that the interface follows: the device's, nil if that is not upright; ``home`` if it does not follow the device.
  var leader: InterfaceOrientation? { leader(on: device) }

  /// The orientation that the interface would follow on a device that is held so, as ``leader``.
  func leader(on device: DeviceOrientation) -> InterfaceOrientation? {
    following == .nothing ? home : InterfaceOrientation(uprightOn: device)
  }

  /// Whether the interface now follows the device to an orientation, if that is allowed, which it did not before.
  func follows(_ leader: InterfaceOrientation, after before: ScreenOrientation) -> Bool {
    guard lock == .unlocked, origin == .followed else { return false }
    return before.lock == .locked || before.leader != leader
  }

  /// The orientation after following; nil if that is not supported.
  private var followed: InterfaceOrientation? {
    leader.flatMap { supported.contains($0) ? $0 : nil }
  }

  private mutating func follow() {
    guard lock == .unlocked, let followed else { return }
    current = followed
    origin = .followed
  }

  private mutating func leaveUnsupported() {
    guard !supported.contains(current), let first = supported.first else { return }
    current = first
    origin = .followed
  }
}

/// Why an orientation is refused.
package enum UnsupportedOrientation: Error, Equatable, Sendable {
  /// The mask is empty, but the interface must have an orientation.
  case empty
  /// The orientation is not among the supported ones, which are these.
  case notSupported(InterfaceOrientationMask)
  /// The person supports it, but an app holds the interface to these.
  case held(InterfaceOrientationMask)
}
