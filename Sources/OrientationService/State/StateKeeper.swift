// SPDX-License-Identifier: Apache-2.0

// Keeps the file and the running service's state the same. A client may change the rotation lock 20 times a second, and
// flash may take 300 ms to save it, so the main thread does not wait for the disk: a thread saves one state at a time, the
// next time the newest there is then. `settledVersion` tells which states are on the disk or cannot be. Whoever asked for a
// change is answered only then, and can rely on it even if the power fails the moment after; unless saving has failed, of which the
// journal tells.

import IIO
import Orientation
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
  /// The service ends, and the disk has not taken the newest state in time.
  case notSavedInTime
}

/// The state that survives a restart, in memory and on the disk.
final class StateKeeper {
  /// How long after a failure saving is tried again, in seconds.
  static let retrySeconds = 30.0

  /// The newest state, saved or not; at first what was found on the disk, or the defaults.
  private(set) var state: SavedState
  /// How many states there have been before the newest one.
  private(set) var version: UInt64 = 0
  /// The newest version that is on the disk, is none the less for a newer one there, or could not be saved.
  private(set) var settledVersion: UInt64 = 0
  /// Called whenever a save is over.
  var whenSettled: (() -> Void)?

  private let saver: StateSaver?
  private let retrySeconds: Double
  private let tell: (StateEvent) -> Void
  /// What the disk has; nil where that is not known.
  private var saved: SavedState?
  /// What is being saved at the moment.
  private var underWay: (state: SavedState, version: UInt64)?
  private var isFailing = false
  private var ended: EventSource?
  private var retry: Timer?

  /// Loads the state.
  ///
  /// - Parameters:
  ///   - folder: where the state lies; nil keeps it in memory alone.
  ///   - loop: hears when a save is over, and has unsaved states tried again.
  ///   - retrySeconds: how long after a failure.
  ///   - tell: hears of what goes wrong, once, and from within this initializer too.
  /// - Throws: `SystemdError` where there are no descriptors left.
  init(
    folder: String?, loop: borrowing EventLoop, retrySeconds: Double = StateKeeper.retrySeconds,
    tell: @escaping (StateEvent) -> Void
  ) throws(SystemdError) {
    self.retrySeconds = retrySeconds
    self.tell = tell
    guard let file = folder.map({ StateFile(folder: $0) }) else {
      tell(.notKept)
      (saver, state) = (nil, SavedState())
      return
    }
    let saver = try StateSaver(to: file)
    self.saver = saver
    state = Self.load(file, tell)
    saved = state
    ended = try loop.onReadable(saver.ended.fileDescriptor) { [unowned(unsafe) self] in handleOutcome() }
    retry = try loop.timer(accuracySeconds: retrySeconds / 10) { [unowned(unsafe) self] in save() }
  }

  // The loop lets go of the descriptor before it is closed.
  deinit { ended = nil }

  /// Whether the newest state is on the disk or cannot be.
  var isSettled: Bool { settledVersion == version }

  /// Whether a state is being saved, by a thread of its own.
  var isSaving: Bool { underWay != nil }

  /// Takes over a state, and has it saved if it is another one.
  func keep(_ state: SavedState) {
    if state != self.state {
      self.state = state
      version += 1
    }
    save()
  }

  /// Waits until the newest state is saved, and tries once more to save what could not be; for the end of the service.
  ///
  /// - Parameter deadline: until when. A disk that hangs must not keep the process.
  func finish(by deadline: BootTime) {
    save()
    while let saver, underWay != nil, saver.ended.wait(until: deadline) == .signalled { handleOutcome() }
    retry?.cancel()
    if underWay != nil { tell(.notSavedInTime) }
  }

  private static func load(_ file: StateFile, _ tell: (StateEvent) -> Void) -> SavedState {
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

  /// Begins to save the newest state, unless it is saved, or its turn comes once another save is over.
  private func save() {
    guard underWay == nil else { return }
    guard let saver, state != saved else {
      settledVersion = version
      return
    }
    underWay = (state, version)
    saver.begin(state)
  }

  private func handleOutcome() {
    guard let outcome = saver?.takeOutcome(), let (state, version) = underWay else { return }
    underWay = nil
    settledVersion = version
    switch outcome {
    case .success: succeeded(state)
    case .failure(let error): failed(error)
    }
    if !isSettled { save() }
    whenSettled?()
  }

  private func succeeded(_ state: SavedState) {
    saved = state
    retry?.cancel()
    guard isFailing else { return }
    isFailing = false
    tell(.savedAgain)
  }

  private func failed(_ error: StateFileError) {
    // It may be the old or the new one that the disk has.
    saved = nil
    // It fails only in a loop that has ended, and finish() comes after that.
    _ = try? retry?.arm(afterSeconds: retrySeconds)
    guard !isFailing else { return }
    isFailing = true
    tell(.cannotSave(error))
  }
}
