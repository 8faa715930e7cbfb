// SPDX-License-Identifier: Apache-2.0

// Two rotation locks that a person takes for one: the desktop's (in its settings) and orientationd's. Each can be changed at any
// time, and also while a change of the other one is on its way.

/// Keeps two locks equal: takes what has happened to them, and says what is to be done.
///
/// The desktop's lock can be read and written at once, the daemon's only by messages, which stay in their order. So at most one call to
/// the daemon is on its way, and what the daemon says meanwhile counts when that is answered. Nothing is done where both are equal already, so
/// no change comes back as its own echo.
package struct LockAgreement {
  /// What is to be done.
  package enum Step: Equatable, Sendable {
    case nothing
    /// The daemon's lock has to be set to this.
    case setDaemon(Bool)
    /// The desktop's lock has to be set to this.
    case setDesktop(Bool)
  }

  private var desktop: Bool
  private var daemon = Daemon.absent

  private enum Daemon {
    /// There is no daemon.
    case absent
    /// It has been told to lock or not, and has not answered; its lock is as it has announced since, nil if it has not.
    case asked(Bool, isLocked: Bool?)
    /// Its lock is like this; nil if it refused, and has not said since how it is.
    case settled(isLocked: Bool?)
  }

  /// The daemon is absent at first.
  ///
  /// - Parameter desktop: whether the desktop's lock is on.
  package init(desktop: Bool) { self.desktop = desktop }

  /// The daemon has come, or is another one than before: it gets the desktop's lock.
  ///
  /// That is the choice of the person whose session this is, which quick settings show and each login brings back. The daemon's lock is one for
  /// all users, and off after an installation; where the two differ at a login, it was changed by somebody else or long ago.
  package mutating func daemonAppeared() -> Step { ask() }

  /// The daemon has gone.
  package mutating func daemonVanished() { daemon = .absent }

  /// The daemon has announced its lock.
  package mutating func daemonChanged(to isLocked: Bool) -> Step {
    switch daemon {
    case .absent: return .nothing
    case .asked(let wanted, _):
      daemon = .asked(wanted, isLocked: isLocked)
      return .nothing
    case .settled: return settle(isLocked)
    }
  }

  /// The daemon has answered the call by which it was told.
  ///
  /// - Parameter isSet: whether it has obeyed. If not, and it has announced nothing meanwhile, the locks differ until the next change of
  ///   either.
  /// - Returns: what is to be done.
  package mutating func daemonAnswered(isSet: Bool) -> Step {
    guard case .asked(let wanted, let isLocked) = daemon else { return .nothing }
    guard let isLocked = isLocked ?? (isSet ? wanted : nil) else {
      daemon = .settled(isLocked: nil)
      return .nothing
    }
    guard desktop == wanted || !isSet else {
      // A person has changed the desktop's since then.
      daemon = .settled(isLocked: isLocked)
      return desktop == isLocked ? .nothing : ask()
    }
    return settle(isLocked)
  }

  /// The desktop's lock may have changed.
  package mutating func desktopChanged(to isLocked: Bool) -> Step {
    desktop = isLocked
    guard case .settled(let daemonIsLocked) = daemon, daemonIsLocked != isLocked else { return .nothing }
    return ask()
  }

  private mutating func ask() -> Step {
    daemon = .asked(desktop, isLocked: nil)
    return .setDaemon(desktop)
  }

  private mutating func settle(_ isLocked: Bool) -> Step {
    daemon = .settled(isLocked: isLocked)
    return desktop == isLocked ? .nothing : .setDesktop(isLocked)
  }
}
