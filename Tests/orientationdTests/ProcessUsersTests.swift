// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport
import Testing

@testable import OrientationService

/// logind as far as it knows the users of processes.
private final class UserDirectory {
  private let bus: Bus
  private var object: ObjectSlot?

  init(on privateBus: PrivateBus, loop: EventLoop) throws {
    bus = try Bus.open(.address(privateBus.address))
    try bus.requestName("org.freedesktop.login1")
    object = try ObjectSlot(
      on: bus, path: "/org/freedesktop/login1",
      interface: Interface(
        "org.freedesktop.login1.Manager", of: self,
        [
          .method("GetUserByPID", inputs: ["pid": "u"], outputs: ["user": "o"]) {
            _, call, reply throws(BusError) in
            let process = try call.readUInt32()
            guard process != 1 else {
              throw BusError(name: "org.freedesktop.login1.NoUserForPID", message: "no user")
            }
            // A path of another form, and a user that is no number.
            let path =
              switch process {
              case 2: "/org/freedesktop/login1/user/self"
              case 3: "/org/example/_1000"
              default: "/org/freedesktop/login1/user/_\(process)"
              }
            try reply.append(objectPath: path)
          }
        ]))
    try bus.attach(to: loop)
  }
}

@Suite("The user of a process")
struct ProcessUsersTests {
  private func user(of process: Int32, isLogindThere: Bool = true) throws -> ConnectionUser? {
    let bus = try PrivateBus()
    let connection = try Connection(to: .address(bus.address))
    let directory = isLogindThere ? try UserDirectory(on: bus, loop: connection.loop) : nil
    var found: ConnectionUser?
    let question = try connection.askUser(ofProcess: process) { found = $0 }
    try wait(
      for: "the answer", pause: { _ = try connection.loop.runOnce(timeoutSeconds: 0.02) },
      until: { found != nil })
    _ = consume question
    withExtendedLifetime(directory) {}
    return found
  }

  @Test("is what logind says")
  func known() throws {
    #expect(try user(of: 1000) == .user(1000))
    #expect(try user(of: 0x7fff_fff0) == .user(0x7fff_fff0))
  }

  @Test("is unknown if logind does not know it, answers otherwise, or is not there")
  func unknown() throws {
    for process: Int32 in [1, 2, 3] { #expect(try user(of: process) == .unknown) }
    #expect(try user(of: 1000, isLogindThere: false) == .unknown)
  }
}
