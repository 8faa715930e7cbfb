// SPDX-License-Identifier: Apache-2.0

internal import Orientation

/// The holds that an app has, whether or not the present daemon knows of them.
struct HeldOrientations {
  /// Identifies a hold over restarts of the daemon, which numbers them anew.
  typealias ID = UInt64

  /// What a hold asks for.
  struct Request: Sendable {
    let orientations: InterfaceOrientationMask
    let application: String
    let reason: String

    /// The call that takes the hold.
    var call: DaemonCall {
      .screen(
        "HoldInterfaceOrientations", .uint32(orientations.rawValue), .string(application), .string(reason),
        authorization: .silentWithoutLimit)
    }
  }

  private enum Standing {
    /// The daemon has it under this number.
    case granted(UInt32)
    /// The daemon was called.
    case requested
    /// The daemon does not have it: it has started just now, or the user supports none of the orientations.
    case missing
  }

  private var holds: [(id: ID, request: Request, standing: Standing)] = []
  private var last: ID = 0

  /// Those that the daemon does not have, the oldest first.
  var missing: [(ID, Request)] {
    holds.compactMap { hold in
      if case .missing = hold.standing { (hold.id, hold.request) } else { nil }
    }
  }

  /// Adds one that the daemon has granted.
  mutating func add(_ request: Request, number: UInt32) -> ID {
    last += 1
    holds.append((last, request, .granted(number)))
    return last
  }

  /// Removes one, and returns its number if the daemon has it.
  mutating func remove(_ id: ID) -> UInt32? {
    guard let index = holds.firstIndex(where: { $0.id == id }) else { return nil }
    let hold = holds.remove(at: index)
    return if case .granted(let number) = hold.standing { number } else { nil }
  }

  /// Notes that the daemon was called for one.
  mutating func requested(_ id: ID) { set(.requested, id) }

  /// Notes that the daemon has granted one; false if the app has released it meanwhile.
  mutating func granted(_ id: ID, number: UInt32) -> Bool { set(.granted(number), id) }

  /// Notes that the daemon has refused one.
  mutating func failed(_ id: ID) { set(.missing, id) }

  /// Notes that the daemon has ended, and all holds with it.
  mutating func ended() {
    for index in holds.indices { holds[index].standing = .missing }
  }

  @discardableResult
  private mutating func set(_ standing: Standing, _ id: ID) -> Bool {
    guard let index = holds.firstIndex(where: { $0.id == id }) else { return false }
    holds[index].standing = standing
    return true
  }
}
