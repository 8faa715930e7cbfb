// SPDX-License-Identifier: Apache-2.0

import Orientation
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
      self = (try? Self.decision(in: reply)) ?? .malformed
    }
  }

  private static func decision(in reply: borrowing Message) throws(BusError) -> PolkitAnswer {
    let (isAuthorized, isChallenge) = try reply.read(.structure, "bba{ss}") { result throws(BusError) in
      let flags = (try result.readBool(), try result.readBool())
      try result.skip("a{ss}")
      return flags
    }
    guard try reply.isAtEnd() else { return .malformed }
    return isAuthorized ? .authorized : isChallenge ? .challenge : .denied
  }

  private init(_ error: BusError) {
    switch error.name {
    case BusError.Name.noReply, BusError.Name.timeout: self = .noReply
    case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner: self = .absent
    case let name where BusError.Name.isFailedStart(name): self = .absent
    default: self = .error(error)
    }
  }

  /// The answer to a client that is refused: the reason, and what would allow it; nil only for a clear yes.
  func refusal(of action: AuthorizedAction, _ interaction: Interaction) -> BusError? {
    var name = BusError.Name.accessDenied
    let words: String
    switch (self, interaction) {
    case (.authorized, _): return nil
    case (.denied, _):
      words =
        "polkit does not allow \(action.rawValue). It is for programs of the user at the screen (an"
        + " active local session), and for users whom a rule of the administrator allows."
    case (.challenge, .notAllowed):
      // The standard error for this: programs then call again and allow interaction.
      name = BusError.Name.interactiveAuthorizationRequired
      words =
        "\(action.rawValue) needs the user to authenticate, or a program of an active local session."
        + " Call again and allow interactive authorization."
    case (.challenge, .allowed):
      words =
        "\(action.rawValue) needs the user to authenticate, which was refused, or no polkit agent runs that could"
        + " ask. A program of an active local session needs no authentication."
    case (.challenge, .quotaExceeded):
      name = BusError.Name.limitsExceeded
      words =
        "\(action.rawValue) needs the user to authenticate, and too many calls wait for that already;"
        + " try again when some have been answered."
    case (.noReply, _): words = "polkit does not answer; try again later."
    case (.malformed, _): words = "polkit's answer cannot be understood."
    case (.error(let error), _): words = "polkit cannot decide: \(error)"
    case (.absent, _):
      words =
        "There is no polkit on this bus to decide; without it only root and the daemon's own user may do this."
    }
    return BusError(name: name, message: words)
  }
}
