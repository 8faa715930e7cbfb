// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import Systemd
import Testing

@Suite("An error of the library")
struct OrientationErrorTests {
  @Test(
    "is that there is no daemon, for each error by which the bus or systemd says that it cannot start one",
    arguments: [
      "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.Spawn.ChildExited", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
      "org.freedesktop.systemd1.NoSuchUnit", "org.freedesktop.systemd1.UnitMasked",
      "org.freedesktop.DBus.Error.TimedOut",
    ])
  func daemonThatCannotBeStarted(name: String) {
    #expect(OrientationError(BusError(name: name, message: "")).kind == .daemonUnavailable)
  }

  @Test(
    "of no better kind keeps its name",
    arguments: ["org.freedesktop.DBus.Error.Failed", "System.Error.EMFILE"])
  func other(name: String) {
    #expect(OrientationError(BusError(name: name, message: "")).kind == .other(name))
  }

  @Test("tells its message to people after what it is, and is a whole sentence without one")
  func description() {
    func text(_ kind: OrientationError.Kind, _ message: String) -> String {
      OrientationError(kind: kind, message: message).description
    }
    #expect(text(.daemonUnavailable, "Unit is masked.") == "orientationd does not run: Unit is masked.")
    #expect(text(.daemonUnavailable, "") == "orientationd does not run")
    #expect(text(.noAnswer, "Connection timed out") == "orientationd does not answer: Connection timed out")
    #expect(text(.noAnswer, "") == "orientationd does not answer")
    #expect(text(.notAuthorized, "not from this session") == "not from this session")
    #expect(text(.notAuthorized, "") == "notAuthorized")
  }
}
