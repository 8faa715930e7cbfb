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
    /// This daemon was called.
    case requested(String)
    /// This daemon was called, and the app has released the hold since.
    case released(String, answered: () -> Void)
    /// The daemon does not have it: it has started just now, or has refused it.
    case missing
  }

  /// What is to be done for a hold that the app releases.
  enum Removal {
    /// The daemon does not have it.
    case nothing
    /// The daemon has it under this number.
    case release(UInt32)
    /// It is released when the daemon has answered.
    case later
  }

  private var holds: [(id: ID, request: Request, standing: Standing)] = []
  private var last: ID = 0

  /// Those to be requested now, the oldest first.
  ///
  /// One that is older than another that the daemon has is not among them: it would count instead of that. Its turn comes when the newer
  /// ones are released.
  var missing: [(ID, Request)] {
    let newest = holds.reversed().prefix { hold in if case .missing = hold.standing { true } else { false } }
    return newest.reversed().map { ($0.id, $0.request) }
  }

  /// Adds one that the daemon has granted.
  mutating func add(_ request: Request, number: UInt32) -> ID {
    last += 1
    holds.append((last, request, .granted(number)))
    return last
  }

  /// Removes one, now or when the daemon has answered.
  mutating func remove(_ id: ID, whenAnswered answered: @escaping () -> Void) -> Removal {
    guard let index = index(of: id) else { return .nothing }
    switch holds[index].standing {
    case .granted(let number):
      holds.remove(at: index)
      return .release(number)
    case .requested(let daemon):
      holds[index].standing = .released(daemon, answered: answered)
      return .later
    case .missing, .released:
      // Released twice: the first one waits.
      if case .missing = holds[index].standing { holds.remove(at: index) }
      return .nothing
    }
  }

  /// Notes that a daemon was called for one.
  mutating func requested(_ id: ID, from daemon: String) {
    if let index = index(of: id) { holds[index].standing = .requested(daemon) }
  }

  /// Notes that a daemon has granted one.
  ///
  /// - Returns: whom to answer when it is released, if the app has released it meanwhile.
  mutating func granted(_ id: ID, number: UInt32, by daemon: String) -> (() -> Void)? {
    guard let index = index(of: id) else { return nil }
    switch holds[index].standing {
    case .requested(daemon): holds[index].standing = .granted(number)
    case .released(daemon, let answered):
      holds.remove(at: index)
      return answered
    case .requested, .released, .granted, .missing: break
    }
    return nil
  }

  /// Notes that a daemon has refused one.
  ///
  /// - Returns: whom to answer, if the app has released it meanwhile.
  mutating func failed(_ id: ID, at daemon: String) -> (() -> Void)? {
    guard let index = index(of: id) else { return nil }
    switch holds[index].standing {
    case .requested(daemon): holds[index].standing = .missing
    case .released(daemon, let answered):
      holds.remove(at: index)
      return answered
    case .requested, .released, .granted, .missing: break
    }
    return nil
  }

  /// Notes that the daemon has ended, and all holds with it.
  mutating func ended() {
    for index in holds.indices.reversed() {
      if case .released(_, let answered) = holds[index].standing {
        answered()
        holds.remove(at: index)
      } else {
        holds[index].standing = .missing
      }
    }
  }

  private func index(of id: ID) -> Int? { holds.firstIndex { $0.id == id } }
}
