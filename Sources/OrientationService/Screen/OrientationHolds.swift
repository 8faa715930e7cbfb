// SPDX-License-Identifier: Apache-2.0

// The apps that hold the interface to some orientations while they are on the screen. A hold belongs to the client that has asked
// for it and ends with it: an app that crashes leaves no sideways screen behind. The newest hold counts, as the mask of the
// topmost view controller does in UIKit; the ones before it count again when it ends. A hold of a client that polkit does not allow any
// more, as another user is at the screen, does not count until polkit allows it again.

import IIO
import Orientation
import Systemd

/// One hold of an app.
struct OrientationHold: Equatable {
  /// What its client releases it by; no other hold has had it since the start of the service.
  let number: UInt32
  /// The client, and whose it is.
  let caller: Caller
  /// What the client has asked for.
  let request: OrientationHoldRequest
  /// When it was taken.
  let since: BootTime
}

/// A hold as clients see it.
struct ListedHold: Equatable {
  let hold: OrientationHold
  /// Whether it has none of the supported orientations.
  let waits: Bool
}

/// The holds of all clients, the oldest first.
final class OrientationHolds {
  /// How many bytes an application's id, and a reason, may have: as many as a name on D-Bus.
  static let textLimit = 255

  /// Called after holds have ended because their client has left, or do not count any more, or again.
  var whenChanged: () -> Void = {}

  private let permissions: StandingPermissions
  private var all: [OrientationHold] = []
  private var lastNumber: UInt32 = 0
  /// The numbers of the holds that were kept over a restart, which their clients may ask for again, and until when.
  private var repeatable: (numbers: [UInt32], end: BootTime) = ([], .now)

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - permissions: whether clients may go on.
  init(of callers: Callers, permissions: StandingPermissions) {
    self.permissions = permissions
    permissions.watch(.hold) { [unowned(unsafe) self] _ in whenChanged() }
    callers.watch(
      holders: { [unowned(unsafe) self] in all.map { $0.caller.client } },
      left: { [unowned(unsafe) self] client in left(client) })
  }

  /// The holds that count, the oldest first.
  var effective: [OrientationHold] { all.filter { permissions.isAllowed($0.caller.client, .hold) == true } }

  /// What the interface is held to, the oldest first.
  var masks: [InterfaceHold] { effective.map { InterfaceHold(number: $0.number, mask: $0.request.mask) } }

  /// Makes sure that a caller may have one more.
  ///
  /// - Throws: `BusError` LimitsExceeded
  func checkRoom(for caller: Caller) throws(BusError) {
    if let excess = Limits.holds.excess(of: caller, among: all.map { $0.caller }) { throw BusError(excess) }
  }

  /// Adds a hold that polkit has allowed as the newest one; see ``checkRoom(for:)``.
  ///
  /// - Returns: its number.
  func add(_ request: OrientationHoldRequest, of caller: Caller) -> UInt32 {
    permissions.grant(.hold, to: caller)
    if let number = repeated(request, of: caller) {
      repeatable.numbers.removeAll { $0 == number }
      return number
    }
    // 4 billion holds later, numbers may come again; but none of a hold that is there still.
    repeat { lastNumber &+= 1 } while lastNumber == 0 || all.contains { $0.number == lastNumber }
    all.append(OrientationHold(number: lastNumber, caller: caller, request: request, since: .now))
    return lastNumber
  }

  // MARK: Restarts

  /// The word of the records of holds.
  static let word = "held"

  /// The holds, with how the interface stands under them, for the next start.
  func records(on screen: HeldOrientation) -> [RestartRecord] {
    all.map { hold in
      let isAllowed = permissions.isAllowed(hold.caller.client, .hold) == true
      let orientation = screen.orientation(under: hold.number) ?? .unknown
      return RestartRecord(
        Self.word, of: hold.caller,
        ["\(hold.number)", isAllowed ? "yes" : "no"] + hold.request.values
          + ["\(hold.since.microseconds)", orientation.name])
    }
  }

  /// Takes in the holds of the process before; their order is kept.
  ///
  /// - Returns: how the interface stood under them, by their numbers; as it was shown, if their version did not record more.
  func restore(
    _ records: [RestartRecord], shown: InterfaceOrientation?
  ) -> [UInt32: InterfaceOrientation] {
    var orientations: [UInt32: InterfaceOrientation] = [:]
    for record in records {
      guard let caller = record.caller, let number = record.values.first.flatMap({ UInt32($0) }),
        let request = OrientationHoldRequest(values: record.values.dropFirst(2).prefix(3))
      else { continue }
      // The versions before did not record the time, or the orientation.
      let since = record.values.dropFirst(5).first.flatMap { Int64($0) }
      let time = since.map { BootTime(nanoseconds: $0 &* 1000) } ?? .now
      let orientation = record.values.dropFirst(6).first.flatMap { InterfaceOrientation(name: $0) }
      orientations[number] = orientation == .unknown ? nil : orientation ?? shown
      all.append(OrientationHold(number: number, caller: caller, request: request, since: time))
      lastNumber = max(lastNumber, number)
      permissions.restore(.hold, of: caller, isAllowed: record.values[1] == "yes")
    }
    repeatable = (all.map { $0.number }, .now.advanced(bySeconds: Clients.repetitionSeconds))
    return orientations
  }

  /// The number of the hold that was kept for a client that knows of the restart, and asks again for the same.
  func repeated(_ request: OrientationHoldRequest, of caller: Caller) -> UInt32? {
    guard !repeatable.numbers.isEmpty, BootTime.now < repeatable.end else { return nil }
    return all.first {
      repeatable.numbers.contains($0.number) && $0.caller == caller && $0.request == request
    }?.number
  }

  /// Ends a hold of a client.
  ///
  /// - Throws: `BusError` NoSuchHold if the client has none of this number; that another client has it is not said.
  func remove(_ number: UInt32, of caller: Caller) throws(BusError) {
    guard let index = all.firstIndex(where: { $0.number == number && $0.caller.client == caller.client })
    else {
      throw BusError(
        name: ServiceErrorName.noSuchHold,
        message: "This client has no hold \(number); HoldInterfaceOrientations returns the number of a hold.")
    }
    all.remove(at: index)
    // A client without holds needs no permission.
    guard !all.contains(where: { $0.caller.client == caller.client }) else { return }
    permissions.forget(caller.client, .hold)
  }

  private func left(_ client: String) {
    guard all.contains(where: { $0.caller.client == client }) else { return }
    all.removeAll { $0.caller.client == client }
    permissions.forget(client, .hold)
    whenChanged()
  }
}

/// The arguments of a call for a hold.
struct OrientationHoldRequest: Equatable {
  /// What the interface is held to; not empty.
  let mask: InterfaceOrientationMask
  /// What the client says that it is, such as `org.example.Player`.
  let application: String
  /// What the client says that the hold is for; for people.
  let reason: String

  /// Reads and checks them.
  ///
  /// - Throws: `BusError` InvalidArgs for no orientation, for a name that is none, and for an id or a reason that is empty, too long
  ///   or not printable.
  init(argumentsOf call: borrowing Message) throws(BusError) {
    mask = try InterfaceOrientationMask(argumentOf: call)
    application = try Self.text(try call.readString(), "application_id", example: "org.example.Player")
    reason = try Self.text(try call.readString(), "reason", example: "plays a film")
    // There are no options yet, and those of a later version are not read: there may be many.
  }

  /// Reads what ``values`` was; nil if it is not that.
  fileprivate init?(values: ArraySlice<String>) {
    let values = Array(values)
    guard values.count == 3, let number = UInt32(values[0]) else { return nil }
    mask = InterfaceOrientationMask(rawValue: number).intersection(.all)
    (application, reason) = (values[1], values[2])
    if mask.isEmpty { return nil }
  }

  /// The arguments as texts, for the next start.
  fileprivate var values: [String] { ["\(mask.rawValue)", application, reason] }

  private static func text(
    _ text: String, _ argument: String, example: String
  ) throws(BusError) -> String {
    guard !text.isEmpty, text.utf8.count <= OrientationHolds.textLimit else {
      throw .invalidArguments(
        "\(argument) has \(text.utf8.count) bytes; it must have 1 to \(OrientationHolds.textLimit), such as \"\(example)\"."
      )
    }
    // Others show it to people.
    guard text == text.printable else {
      throw .invalidArguments(
        "\(argument) has characters that cannot be printed, such as line feeds; write it like \"\(example)\"."
      )
    }
    return text
  }
}

extension BusError {
  /// The error of a client that may have no further hold.
  fileprivate init(_ excess: UserAccounts.Excess) {
    let message =
      switch excess {
      case .client(let limit): "This client has \(limit) holds already; release some first."
      case .user(let limit): "The clients of this user have \(limit) holds already; release some first."
      case .all(let limit):
        "Of the \(limit) holds that there can be, there is no room left for this user; try again when one has ended."
      }
    self.init(name: BusError.Name.limitsExceeded, message: message)
  }
}
