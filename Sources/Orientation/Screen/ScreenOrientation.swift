// SPDX-License-Identifier: Apache-2.0

// What the interface on the screen does when the device turns. Three things move it, and each has its say:
//
//   the device     the interface follows it upright, where that is supported and nothing holds it
//   a person       an orientation chosen by hand holds until the device is turned to another one
//   the supported  an interface that must not stay as it is goes to the first orientation it may have
//
// The lock, and a convertible that is a laptop at present, keep the device from moving it; a person can always.

/// The orientation of the interface on the device's own screen.
public struct ScreenOrientation: Equatable, Sendable {
  /// Whether the device's turns move the interface.
  public enum Following: Sendable, BitwiseCopyable {
    /// They do.
    case device
    /// They do not: the interface holds the natural orientation, as a laptop's does.
    case nothing
  }

  /// How the interface came by its orientation.
  private enum Origin: Sendable, BitwiseCopyable {
    /// By following the device, or by nobody's choice.
    case followed
    /// Somebody chose it: it holds until the device turns to another upright orientation.
    case chosen
  }

  /// The interface's orientation; never unknown.
  public private(set) var current: InterfaceOrientation
  /// What the interface may have; never empty.
  public private(set) var supported: InterfaceOrientationMask
  /// Whether the interface holds.
  public private(set) var lock: RotationLock

  private var natural: InterfaceOrientation
  private var origin: Origin
  private var following = Following.device
  private var device = DeviceOrientation.unknown
  private var lastUpright: InterfaceOrientation?

  /// Creates the orientation of an interface whose device is not known yet.
  ///
  /// - Parameters:
  ///   - natural: the upright interface of the panel as it is built in; not unknown.
  ///   - chosen: an orientation that somebody chose, or that the lock held, before this start. The way the device is held
  ///     at the start does not override it, its next turn does.
  ///   - supported: what the interface may have; nothing is taken for everything.
  ///   - lock: whether the interface holds.
  public init(
    natural: InterfaceOrientation, chosen: InterfaceOrientation? = nil,
    supported: InterfaceOrientationMask = .all, lock: RotationLock = .unlocked
  ) {
    self.natural = natural
    self.supported = supported.isEmpty ? .all : supported
    self.lock = lock
    current = chosen ?? natural
    origin = chosen == nil ? .followed : .chosen
    leaveUnsupported()
  }

  /// What has to be kept over a restart: the orientation that somebody chose or that the lock holds, else nothing.
  public var lasting: InterfaceOrientation? {
    lock == .locked || origin == .chosen ? current : nil
  }

  // MARK: The device

  /// The device is held in this orientation now, as far as clients are told.
  public mutating func deviceTurned(to orientation: DeviceOrientation) {
    guard orientation != device else { return }
    device = orientation
    guard let upright = InterfaceOrientation(uprightOn: orientation) else { return }
    let isTurn = lastUpright != nil && upright != lastUpright
    lastUpright = upright
    if following == .device, origin == .followed || isTurn { follow() }
  }

  /// The panel's own upright has become known to be another one.
  public mutating func set(natural: InterfaceOrientation) {
    // Nobody has moved the interface from where it started.
    let isAtStart = current == self.natural && origin == .followed && lastUpright == nil
    self.natural = natural
    if isAtStart, lock == .unlocked { current = natural }
    if following == .nothing { follow() }
    leaveUnsupported()
  }

  /// Has the interface follow the device from here on, or hold the natural orientation.
  public mutating func follow(_ following: Following) {
    guard following != self.following else { return }
    self.following = following
    guard lock == .unlocked else { return }
    follow()
  }

  // MARK: What is asked for

  /// Holds the interface, or lets it follow again: it then takes the orientation that the device has now.
  public mutating func set(_ lock: RotationLock) {
    guard lock != self.lock else { return }
    self.lock = lock
    guard lock == .unlocked else { return }
    origin = .followed
    follow()
  }

  /// Rotates the interface by hand: always possible where the orientation is supported, the lock on or off.
  ///
  /// - Parameter orientation: not unknown.
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``, and nothing has changed.
  public mutating func rotate(to orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    try check(orientation)
    current = orientation
    origin = .chosen
  }

  /// Whether the orientation is one that the interface may have.
  ///
  /// - Throws: ``UnsupportedOrientation/notSupported(_:)``
  public func check(_ orientation: InterfaceOrientation) throws(UnsupportedOrientation) {
    guard supported.contains(orientation) else { throw .notSupported(supported) }
  }

  /// The orientation that an attempt to rotate to the device's would lead to now: the present one where the device is not
  /// upright, where its orientation is not supported, and where the interface holds.
  public var deviceCounterpart: InterfaceOrientation {
    guard lock == .unlocked, let followed else { return current }
    return followed
  }

  /// Takes the device's orientation, also where another was chosen by hand; see ``deviceCounterpart``.
  public mutating func attemptRotationToDevice() {
    guard deviceCounterpart != current else { return }
    follow()
  }

  /// Says which orientations the interface may have.
  ///
  /// An interface that has another one takes the device's, where it follows and that is among them, else the first in the
  /// order of ``InterfaceOrientationMask/first``. An interface that could not follow the device before does so now.
  ///
  /// - Throws: ``UnsupportedOrientation/empty``, and nothing has changed.
  public mutating func support(_ mask: InterfaceOrientationMask) throws(UnsupportedOrientation) {
    guard !mask.isEmpty else { throw .empty }
    let wasHindered = leader.map { !supported.contains($0) } ?? false
    supported = mask
    if wasHindered || !mask.contains(current) { follow() }
    leaveUnsupported()
  }

  // MARK: Moving

  /// What the interface follows; nil where the device is not upright.
  private var leader: InterfaceOrientation? {
    following == .nothing ? natural : InterfaceOrientation(uprightOn: device)
  }

  /// Where following leads; nil where it leads nowhere that is supported.
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

/// Why an orientation cannot be had.
public enum UnsupportedOrientation: Error, Equatable, Sendable {
  /// A mask without an orientation: the interface must have one.
  case empty
  /// Not among the supported orientations, which are these.
  case notSupported(InterfaceOrientationMask)
}
