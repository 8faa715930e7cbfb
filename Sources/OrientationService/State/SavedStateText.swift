// SPDX-License-Identifier: Apache-2.0

// The saved state as a person can read it, in the form of the configuration:
//
//     # Written by orientationd(8), which keeps aside a file in any other form.
//     [State]
//     Version=1
//     RotationLocked=yes
//     InterfaceOrientation=landscapeLeft
//     SupportedInterfaceOrientations=portrait landscapeRight landscapeLeft
//     Complete=yes
//
// Each state has exactly one spelling, and only that is accepted, byte by byte. So every other file (one that is cut off anywhere,
// has a damaged byte or an extra key, or is another program's) is recognized without a special rule.

import Orientation
import SensorSetup

/// Why a file is not a saved state.
package enum StateFileDefect: Error, Equatable {
  /// It begins like a state, but its end is missing, as after a power cut on a file system that reorders writes.
  case cutOff
  /// It is something else, or was changed.
  case foreign
  /// A later version of the daemon wrote it, in this version of the format.
  case newerVersion(Int)
  /// It is larger than any state.
  case tooLarge
  /// It is a directory, a symbolic link, a FIFO or another special file.
  case notRegular
  /// It cannot be read, with this errno.
  case unreadable(code: CInt)
}

private enum StateKey: String {
  case version = "Version"
  case rotationLocked = "RotationLocked"
  case interfaceOrientation = "InterfaceOrientation"
  case supported = "SupportedInterfaceOrientations"
}

extension SavedState {
  private static let firstLine = "# Written by orientationd(8), which keeps aside a file in any other form.\n"
  private static let lastLine = "Complete=yes\n"
  /// The version of the format; increase it with each change of the format.
  private static let formatVersion = 1
  /// The word for no orientation.
  private static let noOrientation = "none"

  /// The text that stands for this state, and the only one that does.
  package var text: String {
    let names = Self.supportable.filter { supported.contains($0) }.map { $0.name }
    return Self.firstLine + "[State]\n"
      + "\(StateKey.version.rawValue)=\(Self.formatVersion)\n"
      + "\(StateKey.rotationLocked.rawValue)=\(isRotationLocked ? "yes" : "no")\n"
      + "\(StateKey.interfaceOrientation.rawValue)=\(interfaceOrientation?.name ?? Self.noOrientation)\n"
      + "\(StateKey.supported.rawValue)=\(names.joined(separator: " "))\n"
      + Self.lastLine
  }

  /// Reads a file's content.
  ///
  /// - Throws: ``StateFileDefect`` if it is not the text of a state.
  package init(parsing text: [UInt8]) throws(StateFileDefect) {
    let entries = IniFile(text: text, path: "").entries
    func value(_ key: StateKey) -> String {
      entries.first { $0.key == key.rawValue }?.value ?? ""
    }
    // Checked first: the format of a later version is not known, its last line included.
    if let version = Int(value(.version)), version > Self.formatVersion { throw .newerVersion(version) }
    guard text.suffix(Self.lastLine.utf8.count).elementsEqual(Self.lastLine.utf8) else {
      let isBegun = zip(text, Self.firstLine.utf8).allSatisfy { $0 == $1 }
      throw isBegun ? .cutOff : .foreign
    }
    let supported = value(.supported).split(separator: " ").reduce(into: InterfaceOrientationMask()) {
      mask, name in
      if let orientation = InterfaceOrientation(name: String(name)) {
        mask.insert(InterfaceOrientationMask(orientation))
      }
    }
    self.init(
      isRotationLocked: value(.rotationLocked) == "yes",
      interfaceOrientation: InterfaceOrientation(name: value(.interfaceOrientation)), supported: supported)
    // This finds everything that was skipped above.
    guard text.elementsEqual(self.text.utf8) else { throw .foreign }
  }

  private static var supportable: [InterfaceOrientation] {
    InterfaceOrientation.allCases.filter { $0 != .unknown }
  }
}
