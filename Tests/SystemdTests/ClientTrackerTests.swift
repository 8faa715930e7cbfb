// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import Testing

extension SystemdTests {
  @Suite struct ClientTrackerTests {
    /// A rig with a service that counts its clients' Begin and End.
    final class Counter {
      let rig: BusRig
      let log: Log
      let tracker: ClientTracker
      var slot: ObjectSlot?

      init() throws {
        let log = Log()
        self.log = log
        rig = try BusRig()
        tracker = try ClientTracker(on: rig.service) { log.entries.append("empty") }
        slot = try ObjectSlot(
          on: rig.service, path: BusRig.path,
          interface: Interface(
            BusRig.interface,
            [
              .method("Begin", flags: .unprivileged) { [unowned self] call, _ throws(BusError) in
                try self.tracker.add(senderOf: call)
              },
              .method("End", flags: .unprivileged) { [unowned self] call, _ throws(BusError) in
                let removal = try self.tracker.remove(senderOf: call)
                log.entries.append(removal == .removed ? "removed" : "not tracked")
              },
            ]))
      }
    }

    @Test func `a new tracker is empty, and does not say so`() throws {
      let counter = try Counter()
      try counter.rig.call("End")
      #expect(counter.tracker.clientCount == 0)
      #expect(counter.tracker.totalCount == 0)
      #expect(counter.log.entries == ["not tracked"])
    }

    @Test func `what a client adds nests, and the last removal empties the tracker`() throws {
      let counter = try Counter()
      let client = try counter.rig.client.uniqueName
      for expected in 1...3 {
        try counter.rig.call("Begin")
        #expect(counter.tracker.count(of: client) == expected)
        #expect(counter.tracker.clientCount == 1)
        #expect(counter.tracker.totalCount == expected)
      }
      for expected in [2, 1, 0] {
        try counter.rig.call("End")
        #expect(counter.tracker.count(of: client) == expected)
      }
      try counter.rig.turn { counter.log.entries.contains("empty") }
      #expect(counter.log.entries.sorted() == ["empty", "removed", "removed", "removed"])
      #expect(counter.tracker.clientCount == 0)
    }

    @Test func `a client that vanishes is forgotten with all its counts`() throws {
      let counter = try Counter()
      let rig = counter.rig
      try rig.call("Begin")
      do {
        let other = try Bus.open(.address(rig.daemon.address))
        try other.attach(to: rig.loop)
        for total in 2...3 {
          let call = try other.methodCall(
            destination: rig.service.uniqueName, path: BusRig.path, interface: BusRig.interface,
            member: "Begin")
          let slot = try other.callAsync(call) { _ in }
          try rig.turn { counter.tracker.totalCount == total }
          _ = consume slot
        }
        #expect(counter.tracker.clientCount == 2)
        other.close()
      }
      try rig.turn { counter.tracker.clientCount == 1 }
      #expect(counter.tracker.totalCount == 1)
      #expect(counter.log.entries == [])
    }

    @Test func `the last client to vanish empties the tracker, as often as that happens`() throws {
      let counter = try Counter()
      let rig = counter.rig
      for times in 1...2 {
        let other = try Bus.open(.address(rig.daemon.address))
        try other.attach(to: rig.loop)
        let call = try other.methodCall(
          destination: rig.service.uniqueName, path: BusRig.path, interface: BusRig.interface,
          member: "Begin")
        try other.callAsync(call) { _ in }.detach()
        try rig.turn { counter.tracker.clientCount == 1 }
        other.close()
        try rig.turn { counter.log.entries.count == times }
        #expect(counter.log.entries.last == "empty")
        #expect(counter.tracker.totalCount == 0)
      }
    }

    @Test func `a client that has vanished before it is added is refused`() throws {
      let rig = try BusRig()
      let tracker = try ClientTracker(on: rig.service) {}
      let kept = Kept()
      let slot = try ObjectSlot(
        on: rig.service, path: BusRig.path,
        interface: Interface(
          BusRig.interface, [.deferringMethod("Begin", flags: .unprivileged) { kept.call = consume $0 }]))
      let unique = try rig.service.uniqueName
      let call = try rig.client.methodCall(
        destination: unique, path: BusRig.path, interface: BusRig.interface, member: "Begin")
      try rig.client.send(call)
      try rig.turn { kept.call != nil }
      rig.client.close()
      // The bus has noticed when it says so.
      let gone = try rig.busctl("status", unique).status
      #expect(gone == 0)
      let error = #expect(throws: BusError.self) {
        guard let call = kept.call.take() else { return }
        try tracker.add(senderOf: call)
      }
      #expect(error != nil)
      #expect(tracker.clientCount == 0)
      _ = consume slot
    }

    @Test func `a tracker that is gone has freed its handler`() throws {
      let rig = try BusRig()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let tracker = try ClientTracker(on: rig.service) { bird.sing() }
        _ = consume tracker
      }
      #expect(canary == nil)
    }
  }
}
