// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct BusClientTests {
    @Test func `connections that leave are told by their unique names, and no others`() throws {
      let rig = try BusRig()
      let log = Log()
      let other = try Bus.open(.address(rig.daemon.address))
      let name = try other.uniqueName
      // A service that leaves gives up its well-known name, too.
      try other.requestName("org.example.Leaving")
      let slot = try rig.service.onClientDisconnected { log.entries.append($0) }
      // The bus has taken the rule on when it answers.
      _ = try rig.service.owner(of: "org.example.Nobody")
      let newcomer = try Bus.open(.address(rig.daemon.address))
      _ = try newcomer.uniqueName
      other.close()
      try rig.turn { !log.entries.isEmpty }
      newcomer.close()
      try rig.turn { log.entries.count == 2 }
      #expect(log.entries.first == name)
      #expect(log.entries.allSatisfy { $0.hasPrefix(":") })
      _ = consume slot
    }

    @Test func `the bus says whose a connection is, and whether it is there`() throws {
      let rig = try BusRig()
      let log = Log()
      let gone = try Bus.open(.address(rig.daemon.address))
      let goneName = try gone.uniqueName
      gone.close()
      let slots = [
        Held(try rig.service.askUser(of: try rig.client.uniqueName) { log.entries.append("\($0)") }),
        Held(try rig.service.askUser(of: goneName) { log.entries.append("\($0)") }),
      ]
      try rig.turn { log.entries.count == 2 }
      #expect(log.entries == ["user(\(getuid()))", "gone"])
      withExtendedLifetime(slots) {}
    }

    private final class Held {
      let slot: Slot

      init(_ slot: consuming Slot) { self.slot = slot }
    }
  }
}
