// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct BusTests {
    @Test func `opening a bus that is not there says so`() {
      let error = #expect(throws: BusError.self) {
        let bus = try Bus.open(.address("unix:path=/nonexistent/bus"))
        _ = try bus.uniqueName
      }
      #expect(error?.code == ENOENT)
      #expect(error?.message.contains("No such file or directory") == true)
    }

    @Test func `an address that is none is refused`() {
      let error = #expect(throws: BusError.self) { _ = try Bus.open(.address("unix:nonsense")) }
      #expect(error?.code == EINVAL)
    }

    @Test func `the system and the session bus are where the environment says`() throws {
      let (system, session) = (try PrivateBus(), try PrivateBus())
      let buses = [
        "DBUS_SYSTEM_BUS_ADDRESS": system.address, "DBUS_SESSION_BUS_ADDRESS": session.address,
      ]
      let child = try ChildProcess("systemd-test-helper", ["buses"], environment: buses)
      #expect(try child.exitCode() == 0)
      #expect(child.output == ":1.0\n:1.0\n")
      try session.end()
      let failing = try ChildProcess("systemd-test-helper", ["buses"], environment: buses)
      #expect(try failing.exitCode() == 1)
      #expect(failing.output.hasPrefix(":1.1\nsd_bus_start: Connection refused"))
    }

    @Test func `a requested name is owned by the connection`() throws {
      let rig = try BusRig()
      #expect(try rig.client.owner(of: BusRig.name) == nil)
      try rig.service.requestName(BusRig.name)
      let owner = try rig.client.owner(of: BusRig.name)
      #expect(try owner == rig.service.uniqueName)
    }

    @Test func `a name that is asked for is owned at once where it is free`() throws {
      let rig = try BusRig()
      let outcomes = Outcomes()
      let request = try NameRequest(for: BusRig.name, on: rig.service) { outcomes.all.append($0) }
      try request.send()
      try rig.turn { !outcomes.all.isEmpty }
      #expect(try rig.client.owner(of: BusRig.name) == (try rig.service.uniqueName))
      // The bus tells it twice, in its answer and as a signal.
      while try rig.loop.runOnce(timeoutSeconds: 0.1) == .handledEvent {}
      #expect(outcomes.all == [.owned])
      withExtendedLifetime(request) {}
    }

    @Test func `a name that is asked for while another has it comes when that one gives it up`() throws {
      let rig = try BusRig()
      let outcomes = Outcomes()
      try rig.client.requestName(BusRig.name)
      let request = try NameRequest(for: BusRig.name, on: rig.service) { outcomes.all.append($0) }
      try request.send()
      try rig.turn { !outcomes.all.isEmpty }
      #expect(outcomes.all == [.queued])
      rig.client.close()
      try rig.turn { outcomes.all.count == 2 }
      #expect(outcomes.all == [.queued, .owned])
      withExtendedLifetime(request) {}
    }

    @Test func `requesting a name that is owned says by whom`() throws {
      let rig = try BusRig()
      try rig.service.requestName(BusRig.name)
      let error = #expect(throws: RequestNameError.self) { try rig.client.requestName(BusRig.name) }
      guard case .owned(BusRig.name, let owner, let process, let command) = error else {
        Issue.record("not the error expected")
        return
      }
      #expect(try owner == rig.service.uniqueName)
      #expect(process == getpid())
      #expect(command != nil)
      #expect(error?.description.contains("process \(getpid())") == true)
    }

    @Test func `requesting a name that the policy forbids says so`() throws {
      let rig = try BusRig()
      #expect(throws: RequestNameError.refused(name: BusRig.forbiddenName)) {
        try rig.service.requestName(BusRig.forbiddenName)
      }
    }

    @Test func `requesting a malformed name fails`() throws {
      let rig = try BusRig()
      let error = #expect(throws: RequestNameError.self) { try rig.service.requestName("no name") }
      guard case .failed(let reason) = error else {
        Issue.record("not the error expected")
        return
      }
      #expect(reason.code == EINVAL)
    }

    @Test func `a signal with arguments reaches who matches it, and nobody else`() throws {
      let rig = try BusRig()
      let log = Log()
      let wanted = try rig.client.match("type='signal',interface='\(BusRig.interface)',member='Changed'") {
        message in
        let number = try? message.readUInt32()
        let text = try? message.readString()
        log.entries.append("\(message.path ?? "") \(message.signature) \(number ?? 0) \(text ?? "")")
      }
      let unwanted = try rig.client.match("type='signal',interface='org.example.Other'") { _ in
        log.entries.append("unwanted")
      }
      let signal = try rig.service.signal(
        path: BusRig.path, interface: BusRig.interface, member: "Changed")
      try signal.append(UInt32(7))
      try signal.append("seven")
      try rig.service.send(signal)
      try rig.turn { !log.entries.isEmpty }
      #expect(log.entries == ["/org/example us 7 seven"])
      _ = consume wanted
      _ = consume unwanted
    }

    @Test func `a malformed match rule is refused, and its handler freed`() throws {
      let rig = try BusRig()
      weak var canary: Canary?
      let error = #expect(throws: BusError.self) {
        let bird = Canary()
        canary = bird
        _ = try rig.client.match("type='nonsense'") { _ in bird.sing() }
      }
      #expect(error?.name == BusError.Name.invalidArguments)
      #expect(canary == nil)
    }

    @Test func `a match that is gone has freed its handler`() throws {
      let rig = try BusRig()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let slot = try rig.client.match("type='signal'") { _ in bird.sing() }
        _ = consume slot
      }
      #expect(canary == nil)
    }

    @Test func `a synchronous call returns the answer`() throws {
      let rig = try BusRig()
      let call = try rig.client.methodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", member: "NameHasOwner")
      try call.append("org.freedesktop.DBus")
      let reply = try rig.client.call(call, timeoutSeconds: 10)
      #expect(reply.isMethodError == false)
      #expect(try reply.readBool())
    }

    @Test func `a synchronous call to nobody throws the error of the bus`() throws {
      let rig = try BusRig()
      let call = try rig.client.methodCall(
        destination: "org.example.Nobody", path: "/", interface: "org.example.Nobody", member: "Call")
      let error = #expect(throws: BusError.self) { _ = try rig.client.call(call) }
      #expect(error?.name == BusError.Name.serviceUnknown)
      #expect(error?.message.contains("org.example.Nobody") == true)
    }

    @Test func `a call that is not answered in time gets an error`() throws {
      let rig = try BusRig()
      let kept = Kept()
      let slot = try ObjectSlot(
        on: rig.service, path: BusRig.path,
        interface: Interface(
          BusRig.interface, of: kept,
          [.method("Wait") { $0.call = consume $1 }]))
      let call = try rig.client.methodCall(
        destination: rig.service.uniqueName, path: BusRig.path, interface: BusRig.interface, member: "Wait")
      let log = Log()
      let waiting = try rig.client.callAsync(call, timeoutSeconds: 0.05) { reply in
        log.entries.append(reply.error?.name ?? "no error")
      }
      try rig.turn { !log.entries.isEmpty }
      #expect(log.entries == [BusError.Name.noReply])
      _ = consume slot
      _ = consume waiting
      withExtendedLifetime(kept) {}
    }

    @Test func `a detached call still has its handler called, which is freed then`() throws {
      let rig = try BusRig()
      let log = Log()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let call = try rig.client.methodCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "GetId")
        try rig.client.callAsync(call) { reply in
          bird.sing()
          log.entries.append(reply.signature)
        }.detach()
      }
      #expect(canary != nil)
      try rig.turn { !log.entries.isEmpty }
      #expect(log.entries == ["s"])
      #expect(canary == nil)
    }

    @Test func `the end of the bus is told, and ends calls that wait`() throws {
      let rig = try BusRig()
      let log = Log()
      let ending = try rig.client.onDisconnected { log.entries.append("disconnected") }
      let call = try rig.client.methodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", member: "GetId")
      let other = try rig.service.onDisconnected { log.entries.append("service too") }
      try rig.daemon.end()
      let waiting = try? rig.client.callAsync(call) { reply in
        log.entries.append(reply.error == nil ? "answered" : "failed")
      }
      try rig.turn { log.entries.count >= 3 || (waiting == nil && log.entries.count >= 2) }
      #expect(log.entries.contains("disconnected"))
      #expect(log.entries.contains("service too"))
      #expect(!log.entries.contains("answered"))
      #expect(throws: BusError.self) { try rig.client.flush() }
      _ = consume ending
      _ = consume other
    }
  }
}

/// Where a handler keeps a call for later.
final class Kept {
  var call: Message?
}

/// What became of a request for a name.
private final class Outcomes {
  var all: [NameRequest.Outcome] = []
}
