// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// What a hold asks for.
package struct HoldRequest: Sendable {
  /// The orientations to hold the interface to.
  package let orientations: InterfaceOrientationMask
  /// Who holds, for people.
  package let application: String
  /// What for, for people.
  package let reason: String
  /// Who is asked if polkit demands it.
  package let authorization: DaemonCall.Authorization

  /// Creates a request.
  package init(
    orientations: InterfaceOrientationMask, application: String, reason: String,
    authorization: DaemonCall.Authorization = .silentWithoutLimit
  ) {
    self.orientations = orientations
    self.application = application
    self.reason = reason
    self.authorization = authorization
  }

  /// The call that takes the hold.
  var call: DaemonCall {
    .screen(
      "HoldInterfaceOrientations", .strings(orientations.names), .string(application), .string(reason),
      .noOptions,
      authorization: authorization)
  }
}

/// The holds that a program has, whether or not the present daemon knows of them, over connections to the bus.
package final class HeldOrientations {
  /// Identifies a hold over restarts of the daemon, which numbers them anew.
  package typealias ID = UInt64

  private enum Standing {
    /// The daemon has it under this number.
    case granted(UInt32)
    /// The daemon was called.
    case requested
    /// The daemon was called, and the program has released the hold since.
    case released(answered: () -> Void)
    /// The daemon does not have it: it has started just now, or has refused it.
    case missing
  }

  /// What is to be done for a hold that the program releases.
  package enum Removal {
    /// The daemon does not have it.
    case nothing
    /// The daemon has it under this number.
    case release(UInt32)
    /// It is released when the daemon has answered.
    case later
  }

  private var holds: [(id: ID, request: HoldRequest, standing: Standing)] = []
  private var last: ID = 0

  /// Creates it without any.
  package init() {}

  /// Those to be requested now, the oldest first.
  ///
  /// One that is older than another that the daemon has is not among them: it would count instead of that. Its turn comes when the newer
  /// ones are released.
  var missing: [(ID, HoldRequest)] {
    let newest = holds.reversed().prefix { hold in if case .missing = hold.standing { true } else { false } }
    return newest.reversed().map { ($0.id, $0.request) }
  }

  /// Adds one that the daemon has granted.
  func add(_ request: HoldRequest, number: UInt32) -> ID {
    last += 1
    holds.append((last, request, .granted(number)))
    return last
  }

  /// Removes one, now or when the daemon has answered.
  package func remove(_ id: ID, whenAnswered answered: @escaping () -> Void) -> Removal {
    guard let index = index(of: id) else { return .nothing }
    switch holds[index].standing {
    case .granted(let number):
      holds.remove(at: index)
      return .release(number)
    case .requested:
      holds[index].standing = .released(answered: answered)
      return .later
    case .missing:
      holds.remove(at: index)
      return .nothing
    // Released twice: the first one waits.
    case .released: return .nothing
    }
  }

  /// Notes that the daemon was called for one.
  func requested(_ id: ID) {
    if let index = index(of: id) { holds[index].standing = .requested }
  }

  /// Notes that the daemon has granted one under this number, or has refused it.
  ///
  /// - Returns: whom to answer when it is released, if the program has released it meanwhile.
  func answered(_ id: ID, number: UInt32?) -> (() -> Void)? {
    guard let index = index(of: id) else { return nil }
    switch holds[index].standing {
    case .requested: holds[index].standing = number.map(Standing.granted) ?? .missing
    case .released(let answered):
      holds.remove(at: index)
      return answered
    case .granted, .missing: break
    }
    return nil
  }

  /// Notes that the daemon has ended, and all holds with it.
  package func ended() {
    var released: [() -> Void] = []
    for index in holds.indices.reversed() {
      if case .released(let answered) = holds[index].standing {
        holds.remove(at: index)
        released.append(answered)
      } else {
        holds[index].standing = .missing
      }
    }
    // Whoever is answered may take or release others.
    for answered in released { answered() }
  }

  private func index(of id: ID) -> Int? { holds.firstIndex { $0.id == id } }
}
