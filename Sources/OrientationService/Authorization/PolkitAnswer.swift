// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The answer to a question to polkit.
enum PolkitAnswer {
  /// The client may.
  case authorized
  /// The client may not.
  case denied
  /// The client might, once the user has authenticated.
  case challenge
  /// No answer in time, or polkit ended before it answered.
  case noReply
  /// There is no polkit on this bus, and it cannot be started.
  case absent
  /// polkit cannot decide, for example because it does not know the action.
  case error(BusError)
  /// The answer does not fit polkit's interface, or another connection has sent it.
  case malformed

  /// Whether polkit has decided; otherwise another attempt may have another answer.
  var isDecision: Bool {
    switch self {
    case .authorized, .denied, .challenge, .absent: true
    case .noReply, .error, .malformed: false
    }
  }

  /// Reads the reply to a question.
  ///
  /// - Parameters:
  ///   - reply: the reply.
  ///   - polkit: the owner of polkit's name. Most buses deliver only replies to calls, but a bus's policy may allow others.
  init(_ reply: borrowing Message, of polkit: NameOwner) {
    if reply.isFromConnection && !polkit.hasSent(reply) {
      self = .malformed
    } else if let error = reply.error {
      self = PolkitAnswer(error)
    } else {
      do throws(BusError) {
        self = try PolkitAnswer(results: reply)
      } catch {
        self = .malformed
      }
    }
  }

  private init(results reply: borrowing Message) throws(BusError) {
    let (isAuthorized, isChallenge) = try reply.read(.structure, "bba{ss}") { result throws(BusError) in
      let flags = (try result.readBool(), try result.readBool())
      try result.skip("a{ss}")
      return flags
    }
    guard try reply.isAtEnd() else {
      self = .malformed
      return
    }
    self = isAuthorized ? .authorized : isChallenge ? .challenge : .denied
  }

  private init(_ error: BusError) {
    switch error.name {
    case BusError.Name.noReply, BusError.Name.timeout: self = .noReply
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner: self = .absent
    // The bus or systemd could not start it: it is not installed, masked, or broken.
    case let name
    where name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") || name.hasPrefix("org.freedesktop.systemd1."):
      self = .absent
    default: self = .error(error)
    }
  }
}
