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
  /// The caller allows it, but too many calls that may ask the user wait already.
  case quotaExceeded
}

extension Bus {
  /// Makes the call that asks polkit whether a client may do something.
  ///
  /// - Parameters:
  ///   - client: the unique name of its connection. The bus never gives that to another one, and polkit looks up
  ///     its process and session.
  ///   - action: the action.
  ///   - interaction: whether the user may be asked, for whom the answer then waits.
  ///   - cancellation: identifies the question for `polkitCancellation(of:)`; unique among those that wait.
  /// - Returns: the call, to be sent.
  /// - Throws: `BusError` if the connection is closed.
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
    // AllowUserInteraction, the only flag.
    try question.append(interaction == .allowed ? 1 : 0 as UInt32)
    try question.append(cancellation)
    return question
  }

  /// Makes the call that cancels a question.
  func polkitCancellation(of cancellation: String) throws(BusError) -> Message {
    let call = try polkitCall("CancelCheckAuthorization")
    try call.append(cancellation)
    // If polkit has ended meanwhile, there is no question to cancel.
    try call.forbidAutoStart()
    return call
  }

  private func polkitCall(_ member: String) throws(BusError) -> Message {
    try methodCall(
      destination: Polkit.service, path: "/org/freedesktop/PolicyKit1/Authority",
      interface: "org.freedesktop.PolicyKit1.Authority", member: member)
  }
}
