// SPDX-License-Identifier: Apache-2.0

// The state on the disk. It is replaced as a whole: written to a temporary file, flushed, and renamed over the old one,
// so that a power cut or a kill at any moment leaves one or the other. A file there that is no state is kept aside for the
// administrator.

import CLinux

/// What was found in place of the state.
package enum LoadedState: Equatable {
  /// Nothing: the first start.
  case nothing
  /// A state.
  case state(SavedState)
  /// Something else; the defaults are used.
  case unusable(UnusableStateFile)
}

/// A file in place of the state that is no state.
package struct UnusableStateFile: Equatable {
  /// Where it is now.
  package enum Whereabouts: Equatable {
    /// Under this path.
    case keptAside(path: String)
    /// In its place, until the next state replaces it: the maximum number is kept aside already.
    case inPlaceOfMany
    /// In its place, as it cannot be moved.
    case inPlace(StateFileError)
  }

  /// The path at which it was found.
  package let path: String
  /// What is wrong with it.
  package let defect: StateFileDefect
  /// Where it is now.
  package let whereabouts: Whereabouts
}

/// The file that keeps the state over restarts, in a folder of the daemon's own.
package struct StateFile: Equatable {
  /// The name of the file in its folder.
  package static let name = "state"
  /// The name of the next one while it is being written: always the same, so that killed daemons leave one at most.
  package static let temporaryName = "state.new"
  /// How many unusable files are kept aside: more would not tell more about the fault.
  package static let mostKeptAside = 5

  /// The path of the folder.
  package let folder: String

  /// Names the folder; nothing is touched yet.
  package init(folder: String) {
    self.folder = folder
  }

  private var path: String { "\(folder)/\(Self.name)" }

  /// Reads the state, keeps aside whatever else lies there, and cleans up after a daemon that was killed.
  ///
  /// - Throws: ``StateFileError`` if the folder cannot be opened or locked.
  package func load() throws(StateFileError) -> LoadedState {
    let folder = try StateFolder(path: folder)
    // If it cannot be removed, the next save reports that.
    _ = try? folder.remove(Self.temporaryName)
    var text: [UInt8] = []
    do throws(StateFileDefect) {
      guard let content = try folder.read(Self.name) else { return .nothing }
      text = content
      return .state(try SavedState(parsing: text))
    } catch {
      // If only a line is wrong, the file stays until what counts of it is saved in its place.
      var copy: String?
      if case .wrongLine = error { copy = String(decoding: text, as: UTF8.self) }
      return .unusable(
        UnusableStateFile(path: path, defect: error, whereabouts: keepAside(copy: copy, in: folder)))
    }
  }

  /// Replaces the state on the disk, and returns once it is there for good.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - isOtherUnread: whether what lies there was never read, so that it is kept aside.
  /// - Throws: ``StateFileError``. The old state is intact; or the new one, if only the last step has failed, which flushes
  ///   the folder. No temporary file is left.
  package func save(_ state: SavedState, isOtherUnread: Bool = false) throws(StateFileError) {
    let folder = try StateFolder(path: folder)
    let kept = isOtherUnread && folder.has(Self.name) ? keepAside(copy: nil, in: folder) : nil
    do throws(StateFileError) {
      try folder.replace(Self.name, by: Self.temporaryName, state.text)
    } catch {
      if case .keptAside(let path) = kept {
        try? folder.rename(String(path.dropFirst(self.folder.utf8.count + 1)), to: Self.name)
      }
      throw error
    }
    try folder.flush()
  }

  /// Gives the file another name; or writes a copy of it under that.
  private func keepAside(
    copy: String?, in folder: borrowing StateFolder
  ) -> UnusableStateFile.Whereabouts {
    for number in 1...Self.mostKeptAside {
      let name = "\(Self.name).kept-\(number)"
      // The lock keeps the name free until the next line.
      guard !folder.has(name) else { continue }
      do throws(StateFileError) {
        if let copy { try folder.create(name, copy) } else { try folder.rename(Self.name, to: name) }
        return .keptAside(path: "\(self.folder)/\(name)")
      } catch {
        return .inPlace(error)
      }
    }
    return .inPlaceOfMany
  }
}

extension UnusableStateFile: CustomStringConvertible {
  /// The path at which it was found, what is wrong with it, and where it is now.
  package var description: String {
    switch whereabouts {
    case .keptAside(let now): "\(path) \(defect); it is kept as \(now)"
    case .inPlaceOfMany:
      "\(path) \(defect); \(StateFile.mostKeptAside) such files are kept beside it already, so the next state replaces it"
    case .inPlace(let error): "\(path) \(defect), and \(error)"
    }
  }
}
