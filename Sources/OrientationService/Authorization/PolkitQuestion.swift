// SPDX-License-Identifier: Apache-2.0

// polkit's D-Bus interface, as far as it is used here:
// https://polkit.pages.freedesktop.org/polkit/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html

import Systemd

/// polkit on the bus.
enum Polkit {
  /// Its bus name.
  static let service = "org.freedesktop.PolicyKit1"
}

/// Whether the user may be asked to authenticate.
enum Interaction {
  /// The caller allows it.
  case allowed
  /// The caller does not allow it.
  case notAllowed
  /// The caller allows it, but too many are being asked.
  case quotaExceeded
}

extension Bus {
  /// The question whether a client may do something.
  ///
  /// - Parameters:
  ///   - client: the unique name of its connection. The bus never gives that to another, and polkit finds out the
  ///     process and session behind it.
  ///   - action: what it wants to do.
  ///   - interaction: whether the user may be asked; the answer then takes as long as the user does.
  ///   - cancellation: names the question for `polkitCancellation(of:)`; no two at a time have the same.
  /// - Returns: the call, to be sent.
  /// - Throws: `BusError`, where the connection is gone.
  func polkitQuestion(
    client: String, action: AuthorizedAction, interaction: Interaction, cancellation: String
  ) throws(BusError) -> Message {
    let question = try polkitCall("CheckAuthorization")
    try question.appendStruct("sa{sv}") { subject throws(BusError) in
      try subject.append("system-bus-name")
      try subject.appendArray(of: "{sv}") { details throws(BusError) in
        try details.appendDictionaryEntry("sv") { entry throws(BusError) in
          try entry.append("name")
          try entry.appendVariant("s") { value throws(BusError) in try value.append(client) }
        }
      }
    }
    try question.append(action.rawValue)
    try question.appendArray(of: "{ss}") { _ in }
    // AllowUserInteraction, the only flag that there is.
    try question.append(interaction == .allowed ? 1 : 0 as UInt32)
    try question.append(cancellation)
    return question
  }

  /// The word that a question needs no answer any more.
  func polkitCancellation(of cancellation: String) throws(BusError) -> Message {
    let call = try polkitCall("CancelCheckAuthorization")
    try call.append(cancellation)
    // One that has ended meanwhile has forgotten the question.
    try call.forbidAutoStart()
    return call
  }

  private func polkitCall(_ member: String) throws(BusError) -> Message {
    try methodCall(
      destination: Polkit.service, path: "/org/freedesktop/PolicyKit1/Authority",
      interface: "org.freedesktop.PolicyKit1.Authority", member: member)
  }
}
