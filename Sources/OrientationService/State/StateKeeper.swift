// SPDX-License-Identifier: Apache-2.0

// Saves the state of the running service. A client may change the rotation lock 20 times a second, and flash may take 300 ms to
// save it, so the main thread does not wait for the disk: a thread saves one state at a time, and then the newest one.
// `settledVersion` says which states are on the disk or cannot be saved. The client that made a change is answered only then, and
// can rely on it even if the power fails a moment later; unless saving has failed, which the journal reports.

import IIO
import Orientation
import Systemd

/// Something that the owner of a ``StateKeeper`` may want to log.
enum StateEvent: Equatable {
  /// There is no folder to keep the state in.
  case notKept
  /// The file in place of the state is no state; the defaults are used.
  case unusable(UnusableStateFile)
  /// The folder cannot be read; the defaults are used.
  case cannotLoad(StateFileError)
  /// Saving has failed; it is tried again regularly.
  case cannotSave(StateFileError)
  /// Saving works again, and the newest state is saved.
  case savedAgain
  /// The service ends, and the newest state was not saved in time.
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
  /// The newest version that is on the disk, was skipped for a newer one that is, or could not be saved.
  private(set) var settledVersion: UInt64 = 0
  /// Called after each save, successful or not.
  var whenSettled: (() -> Void)?

  private let saver: StateSaver?
  private let retrySeconds: Double
  private let tell: (StateEvent) -> Void
  /// The state on the disk; nil if that is not known.
  private var saved: SavedState?
  /// Whether nothing could be read, or saved, so far: a state of the person may lie there.
  private var isUnread = false
  /// The state that is being saved.
  private var underWay: (state: SavedState, version: UInt64)?
  private var isFailing = false
  private var ended: EventSource?
  private var retry: Timer?

  /// Loads the state.
  ///
  /// - Parameters:
  ///   - folder: the folder of the state file; nil keeps the state in memory only.
  ///   - loop: the loop of this thread, which handles the ends of saves and the retries.
  ///   - retrySeconds: how long after a failure saving is tried again.
  ///   - tell: called with each event, once for each fault; also by this initializer.
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(
    folder: String?, loop: EventLoop, retrySeconds: Double = StateKeeper.retrySeconds,
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
    (state, saved, isUnread) = Self.load(file, tell)
    ended = try loop.onReadable(saver.outcomes.arrived.fileDescriptor) { [unowned(unsafe) self] in
      handleOutcome()
    }
    retry = try loop.timer(accuracySeconds: retrySeconds / 10) { [unowned(unsafe) self] in save() }
    save()
  }

  // The loop stops using the descriptor before it is closed.
  deinit { ended = nil }

  /// Whether the state is saved, as far as is known.
  var isKept: Bool { saver != nil && !isFailing }

  /// Whether the newest state is on the disk or cannot be saved.
  var isSettled: Bool { settledVersion == version }

  /// Whether a state is being saved, by a thread of its own.
  var isSaving: Bool { underWay != nil }

  /// Sets the state, and saves it if it differs.
  func keep(_ state: SavedState) {
    if state != self.state {
      self.state = state
      version += 1
    }
    save()
  }

  /// Waits until the newest state is saved, and tries once more to save one that could not be; for the end of the service.
  ///
  /// - Parameter deadline: until when. A disk that hangs must not keep the process from ending.
  func finish(by deadline: BootTime) {
    save()
    while let saver, underWay != nil, saver.outcomes.arrived.wait(until: deadline) == .signalled {
      handleOutcome()
    }
    retry?.cancel()
    if underWay != nil { tell(.notSavedInTime) }
  }

  /// The state, and what of it need not be saved: the defaults are what a missing file means.
  private static func load(
    _ file: StateFile, _ tell: (StateEvent) -> Void
  ) -> (state: SavedState, saved: SavedState?, isUnread: Bool) {
    do throws(StateFileError) {
      switch try file.load() {
      case .nothing: break
      case .state(let state): return (state, state, false)
      case .unusable(let unusable):
        tell(.unusable(unusable))
        if case .wrongLine(let rest) = unusable.defect { return (rest, nil, false) }
      }
    } catch {
      tell(.cannotLoad(error))
      return (SavedState(), SavedState(), true)
    }
    return (SavedState(), SavedState(), false)
  }

  /// Begins to save the newest state, unless it is saved already, or another save runs, which is followed by this one.
  private func save() {
    guard underWay == nil else { return }
    guard let saver, state != saved else {
      settledVersion = version
      return
    }
    underWay = (state, version)
    saver.begin(state, isOtherUnread: isUnread)
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
    (saved, isUnread) = (state, false)
    retry?.cancel()
    guard isFailing else { return }
    isFailing = false
    tell(.savedAgain)
  }

  private func failed(_ error: StateFileError) {
    // The disk may have the old or the new one.
    saved = nil
    retry?.arm(afterSeconds: retrySeconds)
    guard !isFailing else { return }
    isFailing = true
    tell(.cannotSave(error))
  }
}
