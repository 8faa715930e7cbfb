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
// With what else people have set, the version is 2: how readily the orientation changes, in a line below those, and each mount matrix, in a
// line before the last one:
//
//     Responsiveness=calm
//     MountMatrix=0, -1, 0; 1, 0, 0; 0, 0, 1 for sensor:modalias:acpi:BOSC0200:BOSC0200::dmi:*
//
// Each state has exactly one spelling, and only that is accepted, byte by byte. So every other file (one that is cut off anywhere,
// has a damaged byte or an extra key, or is another program's) is recognized without a special rule. Of one with a wrong line where
// version 2 has its own, all other lines count.

package import Orientation
package import SensorSetup

/// What survives a restart and a power cut: the rotation lock, and what people have chosen.
package struct SavedState: Equatable, Sendable {
  /// Whether the rotation lock is on.
  package var isRotationLocked: Bool

  /// The orientation that the user has chosen or that the lock holds, never unknown; nil if there is none.
  package var interfaceOrientation: InterfaceOrientation? {
    didSet { if interfaceOrientation == .unknown { interfaceOrientation = nil } }
  }

  /// The orientations that the interface may take; never empty.
  package var supported: InterfaceOrientationMask {
    didSet { supported = Self.possible(supported) }
  }

  /// How readily the orientation changes; nil if the configuration decides.
  package var responsiveness: Responsiveness?

  /// How many mount matrices are kept: of more sensors than a machine ever has, over all that were exchanged.
  package static let mostMountMatrices = 16

  /// The mount matrices that people have set, of one sensor each, the newest last.
  package private(set) var mountMatrices: [SensorMatrix] = []

  /// Sets the mount matrix of a sensor, or with nil forgets it; beyond ``mostMountMatrices``, the oldest is forgotten.
  package mutating func setMountMatrix(_ matrix: MountMatrix?, of model: String) {
    mountMatrices.removeAll { $0.model == model }
    if let matrix { mountMatrices.append(SensorMatrix(model: model, matrix: matrix)) }
    mountMatrices = mountMatrices.suffix(Self.mostMountMatrices)
  }

  /// Creates a state, by default that of the first start.
  ///
  /// A mask with none of the four counts as all.
  package init(
    isRotationLocked: Bool = false, interfaceOrientation: InterfaceOrientation? = nil,
    supported: InterfaceOrientationMask = .all
  ) {
    self.isRotationLocked = isRotationLocked
    self.interfaceOrientation = interfaceOrientation == .unknown ? nil : interfaceOrientation
    self.supported = Self.possible(supported)
  }

  private static func possible(_ mask: InterfaceOrientationMask) -> InterfaceOrientationMask {
    let known = mask.intersection(.all)
    return known.isEmpty ? .all : known
  }
}

private enum StateKey: String {
  case version = "Version"
  case rotationLocked = "RotationLocked"
  case interfaceOrientation = "InterfaceOrientation"
  case supported = "SupportedInterfaceOrientations"
  case responsiveness = "Responsiveness"
  case mountMatrix = "MountMatrix"
}

extension SavedState {
  private static let firstLine = "# Written by orientationd(8), which keeps aside a file in any other form.\n"
  private static let lastLine = "Complete=yes\n"
  /// The version of the format; increase it with each change of the format.
  private static let formatVersion = 2
  /// The version that knows neither responsiveness nor mount matrices; a state without both is written in it, so that an earlier daemon
  /// reads it.
  private static let firstVersion = 1
  /// What is between a matrix and its sensor.
  private static let separator = " for "
  /// The word for no orientation.
  private static let noOrientation = "none"

  /// The text that stands for this state, and the only one that does.
  package var text: String {
    head(version: mountMatrices.isEmpty && responsiveness == nil ? Self.firstVersion : Self.formatVersion)
      + mountMatrices.map { "\(Self.matrixKey)\($0.matrix)\(Self.separator)\($0.model)\n" }.joined()
      + Self.lastLine
  }

  /// What comes before the mount matrices.
  private func head(version: Int) -> String {
    let names = Self.supportable.filter { supported.contains($0) }.map { $0.name }
    return Self.firstLine + "[State]\n"
      + "\(StateKey.version.rawValue)=\(version)\n"
      + "\(StateKey.rotationLocked.rawValue)=\(isRotationLocked ? "yes" : "no")\n"
      + "\(StateKey.interfaceOrientation.rawValue)=\(interfaceOrientation?.name ?? Self.noOrientation)\n"
      + "\(StateKey.supported.rawValue)=\(names.joined(separator: " "))\n"
      + (responsiveness.map { "\(StateKey.responsiveness.rawValue)=\($0.rawValue)\n" } ?? "")
  }

  /// How the line of a mount matrix begins.
  private static var matrixKey: String { "\(StateKey.mountMatrix.rawValue)=" }

  /// Reads the lines of mount matrices, which are longer than inih reads; what is wrong with one shows when the text is compared.
  private mutating func readMountMatrices(_ text: ArraySlice<UInt8>) {
    let (key, separator) = (Array(Self.matrixKey.utf8), Array(Self.separator.utf8))
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: key) {
      let value = line.dropFirst(key.count)
      guard let middle = value.indices.first(where: { value[$0...].starts(with: separator) }),
        let matrix = try? MountMatrix(parsing: String(decoding: value[..<middle], as: UTF8.self)),
        (try? matrix.checkTurn()) != nil
      else { continue }
      let model = value[middle...].dropFirst(separator.count)
      setMountMatrix(matrix, of: String(decoding: model, as: UTF8.self))
    }
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
    responsiveness = Responsiveness(rawValue: value(.responsiveness))
    // These comparisons find everything that was skipped above.
    guard !text.elementsEqual(self.text.utf8) else { return }
    if !text.starts(with: head(version: Self.formatVersion).utf8) { responsiveness = nil }
    let head = head(version: Self.formatVersion).utf8
    guard text.starts(with: head) else { throw .foreign }
    readMountMatrices(text.dropFirst(head.count).dropLast(Self.lastLine.utf8.count))
    guard text.elementsEqual(self.text.utf8) else { throw .wrongLine(rest: self) }
  }

  private static var supportable: [InterfaceOrientation] {
    InterfaceOrientation.allCases.filter { $0 != .unknown }
  }
}
