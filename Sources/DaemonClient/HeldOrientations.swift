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
  /// Identifies a hold over restarts of the daemon, which may number them anew.
  package typealias ID = UInt64

  private enum Standing {
    /// The daemon has it under this number.
    case granted(UInt32)
    /// The daemon was called; it may have kept it over a restart under this number.
    case requested(kept: UInt32?)
    /// The daemon was called, and the program has released the hold since.
    case released(kept: UInt32?, answered: () -> Void)
    /// The daemon has started just now, or has refused it; it may have kept it over a restart under this number.
    case missing(kept: UInt32?)
  }

  /// What has ended.
  package enum End {
    /// The daemon: the next one may have kept all holds. Those of a program in the background it refuses to grant again, but keeps.
    case daemon
    /// The connection to the bus, and all holds with it.
    case connection
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
  /// The numbers of those that were released, but that a daemon may have kept over a restart.
  private var unwanted: [UInt32] = []
  /// The numbers that a daemon was called to release, and has not answered yet.
  private var releasing: [UInt32] = []
  /// How many new ones a daemon was called for, and has not answered yet.
  private var asked = 0

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

  /// Notes that the daemon was called for a new one.
  func asksForNew() { asked += 1 }

  /// Notes that the daemon does not grant a new one.
  func isRefusedNew() { asked = max(0, asked - 1) }

  /// Adds a new one that the daemon has granted.
  func add(_ request: HoldRequest, number: UInt32) -> ID {
    asked = max(0, asked - 1)
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
    case .requested(let kept):
      holds[index].standing = .released(kept: kept, answered: answered)
      return .later
    case .missing(let kept):
      holds.remove(at: index)
      if let kept { unwanted.append(kept) }
      return .nothing
    // Released twice: the first one waits.
    case .released: return .nothing
    }
  }

  /// Notes that the daemon was called for one.
  func requested(_ id: ID) {
    guard let index = index(of: id), case .missing(let kept) = holds[index].standing else { return }
    holds[index].standing = .requested(kept: kept)
  }

  /// Notes that the daemon was called to release one of this number.
  func releases(_ number: UInt32) { releasing.append(number) }

  /// Notes that the daemon has heard that.
  func hasReleased(_ number: UInt32) { releasing.removeAll { $0 == number } }

  /// The numbers to release now, of holds that the program does not want any more.
  ///
  /// Not while the daemon is asked for others: one that has kept nothing may give them the same numbers.
  func takeUnwanted() -> [UInt32] {
    guard asked == 0 else { return [] }
    var numbers = unwanted
    for hold in holds {
      switch hold.standing {
      case .requested, .released: return []
      case .granted(let number): numbers.removeAll { $0 == number }
      case .missing(let kept): numbers.removeAll { $0 == kept }
      }
    }
    unwanted = []
    return numbers
  }

  /// Notes that the daemon has granted one under this number, or has refused it.
  ///
  /// - Returns: whom to answer when it is released, if the program has released it meanwhile.
  func answered(_ id: ID, number: UInt32?) -> (() -> Void)? {
    guard let index = index(of: id) else { return nil }
    switch holds[index].standing {
    case .requested(let kept):
      holds[index].standing = number.map(Standing.granted) ?? .missing(kept: kept)
      // It was asked for too late to be counted as the one that was kept; or nothing was kept.
      if let kept, number != nil, number != kept { unwanted.append(kept) }
    case .released(let kept, let answered):
      holds.remove(at: index)
      if let kept, number != kept { unwanted.append(kept) }
      return answered
    case .granted, .missing: break
    }
    return nil
  }

  /// Notes an end.
  package func ended(_ end: End) {
    var released: [() -> Void] = []
    for index in holds.indices.reversed() {
      switch holds[index].standing {
      case .granted(let number): holds[index].standing = .missing(kept: number)
      case .requested(let kept), .missing(let kept): holds[index].standing = .missing(kept: kept)
      case .released(let kept, let answered):
        holds.remove(at: index)
        if let kept { unwanted.append(kept) }
        released.append(answered)
      }
    }
    unwanted += releasing
    releasing = []
    if end == .connection {
      asked = 0
      for index in holds.indices { holds[index].standing = .missing(kept: nil) }
      unwanted = []
    }
    // Whoever is answered may take or release others.
    for answered in released { answered() }
  }

  private func index(of id: ID) -> Int? { holds.firstIndex { $0.id == id } }
}
