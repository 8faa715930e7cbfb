// SPDX-License-Identifier: Apache-2.0

// The answer to a client that is refused: the reason, and what would allow it.

import Orientation
import Systemd

/// Whether a client may do what it asked for.
enum AuthorizationVerdict {
  case authorized
  case refused(BusError)

  /// The verdict by polkit's answer; nil if there is no polkit.
  init?(_ answer: PolkitAnswer, action: AuthorizedAction, interaction: Interaction) {
    switch (answer, interaction) {
    case (.authorized, _): self = .authorized
    case (.denied, _):
      self = .refused(
        .notAuthorized(
          "polkit does not allow \(action.rawValue). It is for programs of the user at the screen (an"
            + " active local session), and for users whom a rule of the administrator allows.", action))
    // The standard error for this: programs then call again and allow interaction.
    case (.challenge, .notAllowed):
      self = .refused(
        BusError(
          name: BusError.Name.interactiveAuthorizationRequired,
          message:
            "\(action.rawValue) needs the user to authenticate, or a program of an active local session."
            + " Call again and allow interactive authorization."))
    case (.challenge, .allowed):
      self = .refused(
        .notAuthorized(
          "\(action.rawValue) needs the user to authenticate, which was refused, or no polkit agent runs that could"
            + " ask. A program of an active local session needs no authentication.", action))
    case (.challenge, .quotaExceeded):
      self = .refused(
        BusError(
          name: ServiceErrorName.limitsExceeded,
          message:
            "\(action.rawValue) needs the user to authenticate, and too many calls wait for that already;"
            + " try again when some have been answered."))
    case (.noReply, _): self = .refused(.notAuthorized("polkit does not answer; try again later.", action))
    case (.malformed, _): self = .refused(.notAuthorized("polkit's answer cannot be understood.", action))
    case (.error(let error), _): self = .refused(.notAuthorized("polkit cannot decide: \(error)", action))
    case (.absent, _): return nil
    }
  }

  /// The verdict by the user of the caller, if there is no polkit.
  init(isPrivileged: Bool, action: AuthorizedAction) {
    self =
      isPrivileged
      ? .authorized
      : .refused(
        .notAuthorized(
          "There is no polkit on this bus to decide; without it only root and the daemon's own user may do this.",
          action))
  }
}

extension BusError {
  /// The error for a client that may not do what it has called for.
  static func notAuthorized(_ words: String, _ action: AuthorizedAction) -> BusError {
    BusError(name: action.refusal, message: words)
  }
}
