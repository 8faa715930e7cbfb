// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport

@testable import OrientationService

/// A service whose calls polkit decides about, with one caller.
struct AuthorizedWorld {
  let bus: PrivateBus
  let polkit: MockPolkit
  let rig: AuthorizerRig
  let caller: AuthorizerRig.Caller

  init(
    _ behaviour: MockPolkit.Behaviour, patience: Authorizer.Patience = Authorizer.Patience(),
    privilegedUsers: [UInt32]? = nil
  ) throws {
    bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, behaviour)
    // Where polkit is there, nobody is privileged: that the tests run as root must not help.
    rig = try AuthorizerRig(on: bus, patience: patience, privilegedUsers: privilegedUsers)
    caller = try rig.caller()
  }

  /// Has polkit decide about a rotation; returns what the caller is answered.
  func rotate(interactive: Bool = false) throws -> BusError? {
    let earlier = caller.answers.count
    try caller.rotate(3, interactive: interactive)
    try rig.turn(until: "the answer") { caller.answers.count > earlier }
    return caller.answers[earlier]
  }

  /// Turns the loop until polkit was asked as often.
  func turn(untilQuestions count: Int) throws {
    try rig.turn(until: "\(count) questions") { try polkit.questions.count == count }
  }
}
