// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct BackPressureTests {
    /// A service that was sent 2,000 calls, and says 20,000 bytes at each, which the bus, stopped, does not take.
    final class Crowd {
      let rig: BusRig
      private(set) var handled = 0
      private var slot: ObjectSlot?

      static let calls = 2000

      init() throws {
        rig = try BusRig()
        let text = String(repeating: "a", count: 20_000)
        slot = try ObjectSlot(
          on: rig.service, path: BusRig.path,
          interface: Interface(
            BusRig.interface, of: self,
            [
              .method("Shout") { crowd, _, _ throws(BusError) in
                crowd.handled += 1
                let signal = try crowd.rig.service.signal(
                  path: BusRig.path, interface: BusRig.interface, member: "Said")
                try signal.append(text)
                try signal.send()
              }
            ]))
        let service = try rig.service.uniqueName
        for _ in 0..<Self.calls {
          try rig.client.send(
            try rig.client.methodCall(
              destination: service, path: BusRig.path, interface: BusRig.interface, member: "Shout"))
        }
        try rig.client.flush()
        // The bus has passed all of them on when it has answered the client and then the service.
        _ = try rig.client.owner(of: "org.example.Nobody")
        _ = try rig.service.owner(of: "org.example.Nobody")
        rig.daemon.stop()
        while try rig.loop.runOnce(timeoutSeconds: 0.2) == .handledEvent {}
      }
    }

    @Test func `while the bus takes nothing, few calls more are handled, and afterwards all are`() throws {
      let crowd = try Crowd()
      // 64 signals wait. Before them, the socket took 8 MB at most, which is what libsystemd asks the kernel for.
      #expect((65..<1500).contains(crowd.handled))
      crowd.rig.daemon.resume()
      try crowd.rig.turn { crowd.handled == Crowd.calls }
      try crowd.rig.call("Shout")
    }

    @Test func `a bus that ends while it takes nothing is noticed`() throws {
      let crowd = try Crowd()
      let log = Log()
      let slot = try crowd.rig.service.onDisconnected { log.entries.append("ended") }
      try crowd.rig.daemon.end()
      try crowd.rig.turn { log.entries == ["ended"] }
      _ = consume slot
    }
  }
}
