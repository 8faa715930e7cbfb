// SPDX-License-Identifier: Apache-2.0

// Saves a state on a thread of its own, which ends afterwards: a disk takes 5 to 300 ms for it (slow flash is the worst), and one that
// fails hangs for longer. At rest there is no thread; the first one costs 8 to 12 kB that stay (measured).

import CLinux
import IIO
import Systemd

/// Saves states, one at a time.
final class StateSaver: Sendable {
  private let file: StateFile
  /// The result of the only save that may run.
  let outcomes: EventChannel<Result<Void, StateFileError>>

  /// Prepares to save to a file; nothing is touched yet.
  ///
  /// - Throws: `SystemdError` if there are no descriptors left.
  init(to file: StateFile) throws(SystemdError) {
    self.file = file
    do throws(SourceError) {
      outcomes = try EventChannel(capacity: 1)
    } catch {
      throw SystemdError(code: EMFILE, operation: "eventfd")
    }
  }

  /// Begins to save a state.
  ///
  /// The save before must be over, and its outcome taken.
  func begin(_ state: SavedState, isOtherUnread: Bool) {
    do throws(SourceError) {
      try detachThread { [self] in
        nameThread("state-saver")
        save(state, isOtherUnread)
      }
    } catch {
      // Without a thread, this one saves: better late than lost.
      save(state, isOtherUnread)
    }
  }

  /// The result of the save; nil if it is not over.
  func takeOutcome() -> Result<Void, StateFileError>? {
    outcomes.arrived.drain()
    return outcomes.next()
  }

  private func save(_ state: SavedState, _ isOtherUnread: Bool) {
    do throws(StateFileError) {
      try file.save(state, isOtherUnread: isOtherUnread)
      outcomes.post(.success(()))
    } catch {
      outcomes.post(.failure(error))
    }
  }
}
