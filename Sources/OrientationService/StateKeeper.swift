// SPDX-License-Identifier: Apache-2.0

// Keeps the file and the running service's state the same. The main thread itself writes: it waits for the disk for
// some milliseconds each time somebody locks or turns the screen by hand, a few times a day. That is accepted, and buys
// that a client that has been answered can rely on what it asked for, even if the power fails the moment after.

import Systemd

/// Something that the owner of a ``StateKeeper`` may want to tell.
enum StateEvent: Equatable {
  /// There is no folder to keep the state in.
  case notKept
  /// What lay in the place of the state is none; the defaults hold.
  case unusable(UnusableStateFile)
  /// The folder cannot be looked into; the defaults hold.
  case cannotLoad(StateFileError)
  /// Saving does not work from here on; it is tried again and again.
  case cannotSave(StateFileError)
  /// Saving works again, and the newest state is saved.
  case savedAgain
}

/// The state that survives a restart, in memory and on the disk.
final class StateKeeper {
  /// How long after a failure saving is tried again, in seconds.
  static let retrySeconds = 30.0

  /// The newest state, saved or not; at first what was found on the disk, or the defaults.
  private(set) var state: SavedState

  private let file: StateFile?
  private let retrySeconds: Double
  private let tell: (StateEvent) -> Void
  /// What the disk has; nil where that is not known.
  private var saved: SavedState?
  private var isFailing = false
  private var retry: Timer?

  /// Loads the state.
  ///
  /// - Parameters:
  ///   - folder: where the state lies; nil keeps it in memory alone.
  ///   - loop: has unsaved states tried again.
  ///   - retrySeconds: how long after a failure.
  ///   - tell: hears of what goes wrong, once, and from within this initializer too.
  /// - Throws: `SystemdError` where the loop has no timer to give.
  init(
    folder: String?, loop: borrowing EventLoop, retrySeconds: Double = StateKeeper.retrySeconds,
    tell: @escaping (StateEvent) -> Void
  ) throws(SystemdError) {
    file = folder.map { StateFile(folder: $0) }
    self.retrySeconds = retrySeconds
    self.tell = tell
    state = Self.load(file, tell)
    saved = state
    retry = try loop.timer(accuracySeconds: retrySeconds / 10) { [unowned(unsafe) self] in save() }
  }

  /// Takes over a state and saves it, if it is another one; returns once it is on the disk, or cannot be.
  func keep(_ state: SavedState) {
    self.state = state
    save()
  }

  /// Tries once more to save what could not be saved; for the end of the service.
  func finish() {
    save()
    retry?.cancel()
  }

  private static func load(_ file: StateFile?, _ tell: (StateEvent) -> Void) -> SavedState {
    guard let file else {
      tell(.notKept)
      return SavedState()
    }
    do throws(StateFileError) {
      switch try file.load() {
      case .nothing: break
      case .state(let state): return state
      case .unusable(let unusable): tell(.unusable(unusable))
      }
    } catch {
      tell(.cannotLoad(error))
    }
    return SavedState()
  }

  private func save() {
    guard let file, state != saved else { return }
    do throws(StateFileError) {
      try file.save(state)
      saved = state
      retry?.cancel()
      guard isFailing else { return }
      isFailing = false
      tell(.savedAgain)
    } catch {
      // It may be the old or the new one that the disk has.
      saved = nil
      // It fails only in a loop that has ended, and finish() comes after that.
      _ = try? retry?.arm(afterSeconds: retrySeconds)
      guard !isFailing else { return }
      isFailing = true
      tell(.cannotSave(error))
    }
  }
}
