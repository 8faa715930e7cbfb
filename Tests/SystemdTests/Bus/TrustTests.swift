// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  /// A match rule's sender does not keep off what is sent to one connection alone.
  @Suite struct TrustTests {
    private func forge(_ member: String, _ arguments: [String], on rig: BusRig) throws {
      let signal = try rig.client.signal(
        path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: member,
        to: rig.service.uniqueName)
      for argument in arguments { try signal.append(argument) }
      try rig.client.send(signal)
    }

    /// Has the service take in all that was sent to it.
    private func settle(_ rig: BusRig) throws {
      _ = try rig.client.owner(of: "org.example.Nobody")
      while try rig.loop.runOnce(timeoutSeconds: 0.1) == .handledEvent {}
    }

    @Test func `a departure is believed of the bus, and of nobody else`() throws {
      let rig = try BusRig()
      let log = Log()
      let slot = try rig.service.onClientDisconnected { log.entries.append($0) }
      let other = try Bus.open(.address(rig.daemon.address))
      let name = try other.uniqueName
      try forge("NameOwnerChanged", [name, name, ""], on: rig)
      try settle(rig)
      #expect(log.entries == [])
      other.close()
      try rig.turn { !log.entries.isEmpty }
      #expect(log.entries == [name])
      _ = consume slot
    }

    @Test func `who has a name is believed of the bus, and of nobody else`() throws {
      let rig = try BusRig()
      let log = Log()
      let owner = try NameOwner(of: BusRig.name, on: rig.service)
      owner.whenChanged { log.entries.append("changed") }
      #expect(owner.uniqueName == nil)
      let forger = try rig.client.uniqueName
      try forge("NameOwnerChanged", [BusRig.name, "", forger], on: rig)
      try settle(rig)
      #expect(owner.uniqueName == nil)
      let other = try Bus.open(.address(rig.daemon.address))
      try other.requestName(BusRig.name)
      try rig.turn { !log.entries.isEmpty }
      #expect(owner.uniqueName == (try other.uniqueName))
      try forge("NameOwnerChanged", [BusRig.name, try other.uniqueName, ""], on: rig)
      try settle(rig)
      #expect(log.entries == ["changed"])
      other.close()
      try rig.turn { log.entries.count == 2 }
      #expect(owner.uniqueName == nil)
    }

    @Test func `an owner that the bus did not tell of is found when it speaks`() throws {
      let rig = try BusRig()
      let owner = try NameOwner(of: BusRig.name, on: rig.service)
      let deafening = try rig.service.methodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "RemoveMatch")
      try deafening.append(
        "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
          + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(BusRig.name)'")
      let isDeaf = Flag()
      try rig.service.callAsync(deafening) { isDeaf.isSet = !$0.isMethodError }.detach()
      try rig.turn { isDeaf.isSet }
      let other = try Bus.open(.address(rig.daemon.address))
      try other.requestName(BusRig.name)
      let slot = try rig.service.match("type='signal',member='Changed'") { _ = owner.hasSent($0) }
      try other.signal(path: BusRig.path, interface: BusRig.interface, member: "Changed").send()
      try rig.turn { owner.uniqueName != nil }
      #expect(owner.uniqueName == (try other.uniqueName))
      _ = consume slot
    }

    @Test func `a service has sent what its connection has sent, and nothing else`() throws {
      let rig = try BusRig()
      let other = try Bus.open(.address(rig.daemon.address))
      try other.requestName(BusRig.name)
      let owner = try NameOwner(of: BusRig.name, on: rig.service)
      let log = Log()
      let slot = try rig.service.match("type='signal',sender='\(BusRig.name)',member='Changed'") {
        log.entries.append(owner.hasSent($0) ? "of the service" : "forged")
      }
      let forged = try rig.client.signal(
        path: BusRig.path, interface: BusRig.interface, member: "Changed", to: rig.service.uniqueName)
      try forged.send()
      let genuine = try other.signal(path: BusRig.path, interface: BusRig.interface, member: "Changed")
      try genuine.send()
      try rig.turn { log.entries.contains("of the service") }
      try settle(rig)
      // That the first one comes at all is libsystemd's part in this.
      #expect(log.entries.sorted() == ["forged", "of the service"])
      _ = consume slot
    }

    @Test func `a name is ours where the bus says so, and nobody else`() throws {
      let rig = try BusRig()
      try rig.client.requestName(BusRig.name)
      let log = Log()
      let request = try NameRequest(for: BusRig.name, on: rig.service) { log.entries.append("\($0)") }
      try request.send()
      try rig.turn { !log.entries.isEmpty }
      try forge("NameAcquired", [BusRig.name], on: rig)
      try settle(rig)
      #expect(log.entries == ["queued"])
      rig.client.close()
      try rig.turn { log.entries.count == 2 }
      #expect(log.entries == ["queued", "owned"])
      withExtendedLifetime(request) {}
    }

    @Test func `calls of long strings are refused without quoting them, and those of short ones are not`()
      throws
    {
      let answers = try answers(
        to: [(255, 255), (256, 1), (1, 256), (1, 1_000_000)], of: "org.freedesktop.DBus.Properties"
      ) { lengths, call in
        try call.append(String(repeating: "a", count: lengths.0))
        try call.append(String(repeating: "b", count: lengths.1))
      }
      #expect(!answers[0].contains("255 bytes"))
      #expect(answers[1...].allSatisfy { $0.hasPrefix("An argument has more than 255 bytes") })
    }

    @Test func `calls of long lists, and of lists with long strings, are refused`() throws {
      let lists = [
        Array(repeating: "a", count: 64), Array(repeating: "a", count: 65),
        ["a", String(repeating: "b", count: 256)], Array(repeating: "a", count: 100_000),
      ]
      let answers = try answers(to: lists) { list, call in
        try call.append(list)
        try call.append("and a string")
      }
      #expect(!answers[0].contains("64 strings"))
      #expect(answers[1...].allSatisfy { $0.contains("a list of more than 64 strings") })
    }

    @Test func `calls of many options, and of long ones, are refused`() throws {
      let answers = try answers(to: [(64, 200, 255), (65, 1, 1), (1, 256, 1), (1, 1, 256)]) {
        options, call in
        let (count, key, value) = options
        try call.append("a string")
        try call.append(.array, "{sv}") { options throws(BusError) in
          for number in 0..<count {
            let key = String(repeating: "k", count: key) + (count > 1 ? "\(number)" : "")
            try options.appendEntry(key, String(repeating: "v", count: value))
          }
        }
      }
      #expect(!answers[0].contains("64 strings"))
      #expect(answers[1...].allSatisfy { $0.contains("64 strings or options") })
    }

    @Test func `an option may be a list of strings, each of which counts as one more`() throws {
      let lists = [
        [], Array(repeating: String(repeating: "v", count: 255), count: 62),
        Array(repeating: "v", count: 63), Array(repeating: "v", count: 65),
        [String(repeating: "v", count: 256)],
      ]
      let answers = try answers(to: lists) { list, call in
        try call.append(.array, "{sv}") { options throws(BusError) in
          try options.appendEntry("a list", list)
          try options.appendEntry("a number", UInt32(1))
        }
      }
      #expect(answers[..<2].allSatisfy { !$0.contains("64 strings") })
      #expect(answers[2...].allSatisfy { $0.contains("64 strings or options") })
    }

    @Test func `calls with an option of another type, or in another variant, or a long path, are refused`()
      throws
    {
      let types = ["b", "ab", "v", "o"]
      let answers = try answers(to: types) { type, call in
        try call.append(.array, "{sv}") { options throws(BusError) in
          try options.appendEntry("an option", type) { value throws(BusError) in
            switch type {
            case "b": try value.append(true)
            case "ab": try value.append([true])
            case "o": try value.append(objectPath: "/" + String(repeating: "a", count: 255))
            default: try value.append(.variant, "as") { value throws(BusError) in try value.append(["a"]) }
            }
          }
        }
      }
      #expect(!answers[0].contains("64 strings"))
      #expect(answers[1...].allSatisfy { $0.contains("64 strings or options") })
    }

    /// The messages of the errors with which calls are answered, one with each of the arguments; "none" for no error.
    private func answers<Arguments>(
      to arguments: [Arguments], of interface: String = BusRig.interface,
      append: (Arguments, borrowing Message) throws -> Void
    ) throws -> [String] {
      let rig = try BusRig()
      let answers = Log()
      for arguments in arguments {
        let call = try rig.client.methodCall(
          destination: rig.service.uniqueName, path: BusRig.path, interface: interface, member: "Get")
        try append(arguments, call)
        try rig.client.callAsync(call) { answers.entries.append($0.error?.message ?? "none") }.detach()
      }
      try rig.turn { answers.entries.count == arguments.count }
      return answers.entries
    }

    @Test func `calls of long paths are refused before anything looks for them`() throws {
      let rig = try BusRig()
      let answers = Log()
      let longest = "/" + String(repeating: "a", count: 254)
      for path in [longest, longest + "a", String(repeating: "/a", count: 30_000)] {
        let call = try rig.client.methodCall(
          destination: rig.service.uniqueName, path: path, interface: BusRig.interface, member: "Get")
        try rig.client.callAsync(call) { answers.entries.append($0.error?.message ?? "none") }.detach()
      }
      try rig.turn { answers.entries.count == 3 }
      #expect(!answers.entries[0].contains("255 bytes"))
      #expect(answers.entries[1...].allSatisfy { $0.contains("more than 255 bytes") })
    }
  }
}
