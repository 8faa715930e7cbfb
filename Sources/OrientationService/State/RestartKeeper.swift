// SPDX-License-Identifier: Apache-2.0

// What a restart of the daemon must not lose, because most clients do not know of restarts: what each has begun, claimed or holds, and
// what the interface followed. Unlike the saved state, it is of no use after a boot: clients are known by their unique names, which a bus
// gives only once. So the file lies in the runtime folder, which is memory, and has the id of its bus. It is written after each change, so
// that a daemon that is killed leaves it, too:
//
//     orientationd-restart 6c0a1f...
//     interface - - unknown unknown landscapeLeft landscapeLeft device
//     begun :1.25 1000 2
//     held :1.40 1000 3 yes 8 org.example.Player plays%20a%20film 31957351730 landscapeLeft
//     follows :1.25 1000 yes
//     complete
//
// Each room keeps its own records here, and reads them at the next start. The file is the daemon's own, in a folder that is its own;
// what cannot be read is left out.

import Orientation
import Systemd

/// Something that a restart must not lose.
struct RestartRecord: Equatable {
  /// What it is.
  let word: String
  /// The client whose it is; nil if it is no client's.
  let caller: Caller?
  /// What more there is to know.
  let values: [String]

  init(_ word: String, of caller: Caller? = nil, _ values: [String]) {
    (self.word, self.caller, self.values) = (word, caller, values)
  }
}

/// Keeps what a restart must not lose.
final class RestartKeeper {
  private static let name = "restart"
  private static let temporaryName = "restart.new"
  private static let firstWord = "orientationd-restart"
  private static let lastLine = "complete"
  /// In bytes: with all clients, claims and holds that there can be, it has about half of this (4096 claims of each sensor).
  private static let largestFile = 1 << 21

  /// Whether a process before has left anything on this bus.
  private(set) var isRestart = false
  /// What the process before has left, as far as its clients are still on the bus.
  private var left: [RestartRecord] = []
  private var sources: [() -> [RestartRecord]] = []
  private var isChanged = false
  private var saved = ""
  private let folder: String?
  private let bus: String
  private var afterEvents: EventSource?

  /// Reads what the process before has left.
  ///
  /// - Parameters:
  ///   - folder: the runtime folder; nil keeps nothing.
  ///   - connection: the bus. If something is left of clients, this waits for its answer which of them are there.
  ///   - callers: get to know these clients, whose calls need not wait then.
  /// - Throws: `BusError` if the connection is closed.
  init(folder: String?, connection: Connection, callers: Callers) throws(BusError) {
    self.folder = folder
    bus = try connection.bus.id
    guard folder != nil else { return }
    left = read()
    isRestart = !left.isEmpty
    if left.contains(where: { $0.caller != nil }) {
      let names = try connection.bus.names()
      left.removeAll { record in record.caller.map { !names.contains($0.client) } ?? false }
      for record in left { if let caller = record.caller { callers.restore(caller) } }
    }
    afterEvents = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.afterEvents { [unowned(unsafe) self] in saveIfChanged() }
    }
  }

  /// The records that are left with a word, in their order; for the room whose they are, once.
  func take(_ word: String) -> [RestartRecord] {
    defer { left.removeAll { $0.word == word } }
    return left.filter { $0.word == word }
  }

  /// Asks a room for its records whenever something has changed.
  func keep(_ records: @escaping () -> [RestartRecord]) {
    sources.append(records)
    changed()
  }

  /// Takes in that a room may have other records now.
  func changed() { isChanged = true }

  /// Writes the records if they may be others than before.
  func saveIfChanged() {
    guard isChanged, let folder else { return }
    isChanged = false
    let lines = sources.flatMap { $0() }.map { $0.line }
    let text = (["\(Self.firstWord) \(bus)"] + lines + [Self.lastLine, ""]).joined(separator: "\n")
    guard text != saved else { return }
    // What cannot be kept is lost only if the service restarts, and its clients can begin again.
    do throws(StateFileError) {
      try StateFolder(path: folder).replace(Self.name, by: Self.temporaryName, text)
      saved = text
    } catch {}
  }

  private func read() -> [RestartRecord] {
    guard let folder = folder.flatMap({ try? StateFolder(path: $0) }),
      let text = try? folder.read(Self.name, limit: Self.largestFile)
    else { return [] }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.first == "\(Self.firstWord) \(bus)", lines.last == Self.lastLine else { return [] }
    return lines.dropFirst().dropLast().compactMap { RestartRecord(line: $0) }
  }
}

extension RestartRecord {
  /// The line of the file.
  fileprivate var line: String {
    let client = caller.map { [$0.client, $0.user.number.map { "\($0)" } ?? "-"] } ?? ["-", "-"]
    return ([word] + client + values.map { $0.asWord }).joined(separator: " ")
  }

  /// Reads a line of the file; nil if it is none.
  fileprivate init?(line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 3 else { return nil }
    let user = UInt32(words[2]).map { ConnectionUser.user($0) } ?? .unknown
    self.init(
      words[0], of: words[1] == "-" ? nil : Caller(client: words[1], user: user),
      words.dropFirst(3).map { $0.ofWord })
  }
}

extension ConnectionUser {
  /// Its number; nil if it is not known.
  fileprivate var number: UInt32? { if case .user(let number) = self { number } else { nil } }
}

extension String {
  /// The text in one word of the file.
  fileprivate var asWord: String { isEmpty ? "%" : percentEncoded(self) }

  /// The text that a word of the file stands for.
  fileprivate var ofWord: String {
    let parts = split(separator: "%", omittingEmptySubsequences: false)
    var bytes = parts.first.map { Array($0.utf8) } ?? []
    for part in parts.dropFirst() {
      if let byte = UInt8(part.prefix(2), radix: 16) { bytes.append(byte) }
      bytes += part.utf8.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
