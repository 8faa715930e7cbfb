// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct ObjectSlotTests {
    /// What the object under test has and does.
    final class Lamp {
      var level: UInt32 = 3
      var waiting: Message?
    }

    private func lampInterface(_ lamp: Lamp) -> Interface {
      Interface(
        BusRig.interface, of: lamp,
        [
          .method(
            "Dim", inputs: ["level": "u"], outputs: ["before": "u", "words": "s"]
          ) {
            lamp, call, reply throws(BusError) in
            let level = try call.readUInt32()
            guard level <= 10 else {
              throw BusError(name: "org.example.Error.TooBright", message: "10 is the most")
            }
            try reply.append(lamp.level)
            try reply.append("it was \(lamp.level)")
            lamp.level = level
          },
          .method("Flash") { lamp, _, _ in lamp.level = 10 },
          .method("Wait", outputs: ["level": "u"]) {
            $0.waiting = consume $1
          },
          .method("Refuse") { _, _ throws(BusError) in
            throw BusError(name: "org.example.Error.Never", message: "not today")
          },
          .property("Level", "u", changes: .emitted) { lamp, reply throws(BusError) in
            try reply.append(lamp.level)
          },
          .property("Maker", "s", changes: .constant) { _, reply throws(BusError) in try reply.append("Ann")
          },
          .property("Broken", "u", changes: .emitted) { _, _ throws(BusError) in
            throw BusError(name: "org.example.Error.Broken", message: "no bulb")
          },
          .signal("BurntOut", ["when": "t", "why": "s"]),
        ])
    }

    /// A rig whose service has the name and the lamp.
    private func withLamp(_ body: (BusRig, Lamp) throws -> Void) throws {
      let rig = try BusRig()
      let lamp = Lamp()
      let slot = try ObjectSlot(on: rig.service, path: BusRig.path, interface: lampInterface(lamp))
      try rig.service.requestName(BusRig.name)
      try withExtendedLifetime(lamp) { try body(rig, lamp) }
      _ = consume slot
    }

    @Test func `a method gets its arguments and gives its results`() throws {
      try withLamp { rig, lamp in
        let (output, status) = try rig.busctl(
          "call", BusRig.name, BusRig.path, BusRig.interface, "Dim", "u", "5")
        #expect(output == "us 3 \"it was 3\"\n")
        #expect(status == 0)
        #expect(lamp.level == 5)
      }
    }

    @Test func `a method without results is answered with an empty reply`() throws {
      try withLamp { rig, lamp in
        let (output, status) = try rig.busctl("call", BusRig.name, BusRig.path, BusRig.interface, "Flash")
        #expect(output == "")
        #expect(status == 0)
        #expect(lamp.level == 10)
      }
    }

    @Test func `a caller that wants no reply gets none, and is served`() throws {
      try withLamp { rig, lamp in
        let (output, status) = try rig.busctl(
          "call", "--expect-reply=no", BusRig.name, BusRig.path, BusRig.interface, "Flash")
        try rig.turn { lamp.level == 10 }
        #expect(output == "")
        #expect(status == 0)
      }
    }

    @Test func `what a method throws is the error that the caller gets`() throws {
      try withLamp { rig, lamp in
        var error: BusError?
        try rig.call("Dim") { call throws(BusError) in
          try call.append(UInt32(11))
        } reply: {
          error = $0.error
        }
        #expect(error == BusError(name: "org.example.Error.TooBright", message: "10 is the most"))
        #expect(lamp.level == 3)
        try rig.call("Refuse", reply: { error = $0.error })
        #expect(error == BusError(name: "org.example.Error.Never", message: "not today"))
      }
    }

    @Test func `a call with the wrong signature never reaches the method`() throws {
      try withLamp { rig, lamp in
        let (output, status) = try rig.busctl(
          "call", BusRig.name, BusRig.path, BusRig.interface, "Dim", "s", "five")
        #expect(output.contains("Invalid arguments 's' to call"))
        #expect(output.contains("expecting 'u'"))
        #expect(status != 0)
        #expect(lamp.level == 3)
      }
    }

    @Test func `unknown methods and objects are answered by sd-bus`() throws {
      try withLamp { rig, _ in
        var name: String?
        try rig.call("Explode", reply: { name = $0.error?.name })
        #expect(name == BusError.Name.unknownMethod)
        let output = try rig.busctl("call", BusRig.name, "/elsewhere", BusRig.interface, "Flash").output
        #expect(output.contains("Unknown object"))
      }
    }

    @Test func `a call that was kept can be answered later`() throws {
      try withLamp { rig, lamp in
        let call = try rig.client.methodCall(
          destination: BusRig.name, path: BusRig.path, interface: BusRig.interface, member: "Wait")
        let log = Log()
        let slot = try rig.client.callAsync(call) { answer in
          log.entries.append("\((try? answer.readUInt32()) ?? 0)")
        }
        try rig.turn { lamp.waiting != nil }
        #expect(log.entries == [])
        if let kept = lamp.waiting.take() {
          let reply = try kept.reply()
          try reply.append(UInt32(42))
          try reply.send()
        }
        try rig.turn { !log.entries.isEmpty }
        #expect(log.entries == ["42"])
        _ = consume slot
      }
    }

    @Test func `a call that was kept can be answered with an error later`() throws {
      try withLamp { rig, lamp in
        let call = try rig.client.methodCall(
          destination: BusRig.name, path: BusRig.path, interface: BusRig.interface, member: "Wait")
        let log = Log()
        let slot = try rig.client.callAsync(call) { log.entries.append($0.error?.message ?? "no error") }
        try rig.turn { lamp.waiting != nil }
        #expect(log.entries == [])
        try lamp.waiting.take()?.reply(BusError(name: "org.example.Error.Late", message: "too late"))
        try rig.turn { !log.entries.isEmpty }
        #expect(log.entries == ["too late"])
        _ = consume slot
      }
    }

    @Test func `properties are read by Get and by GetAll`() throws {
      try withLamp { rig, lamp in
        lamp.level = 8
        let get = try rig.busctl("get-property", BusRig.name, BusRig.path, BusRig.interface, "Level", "Maker")
        #expect(get.output == "u 8\ns \"Ann\"\n")
        var values: [String: String] = [:]
        try rig.call("Get", interface: "org.freedesktop.DBus.Properties") { call throws(BusError) in
          try call.append(BusRig.interface)
          try call.append("Broken")
        } reply: {
          values["error"] = $0.error?.message
        }
        #expect(values == ["error": "no bulb"])
      }
    }

    @Test func `a property cannot be set`() throws {
      try withLamp { rig, _ in
        let set = try rig.busctl(
          "set-property", BusRig.name, BusRig.path, BusRig.interface, "Level", "u", "1")
        #expect(set.output.contains("not writable"))
      }
    }

    @Test func `a change is signalled with the new value`() throws {
      try withLamp { rig, lamp in
        let log = Log()
        let slot = try rig.client.match("type='signal',member='PropertiesChanged',path='\(BusRig.path)'") {
          message in
          do throws(BusError) {
            log.entries.append(try message.readString())
            try message.readArray(of: "{sv}") { message throws(BusError) in
              try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
                let name = try message.readString()
                let value = try message.read(.variant, "u") { message throws(BusError) in
                  try message.readUInt32()
                }
                log.entries.append("\(name)=\(value)")
              }
            }
            log.entries += try message.readStrings()
          } catch { log.entries.append(error.description) }
        }
        lamp.level = 9
        try rig.service.emitPropertiesChanged(path: BusRig.path, interface: BusRig.interface, names: [])
        try rig.service.emitPropertiesChanged(
          path: BusRig.path, interface: BusRig.interface, names: ["Level"])
        try rig.turn { !log.entries.isEmpty }
        #expect(log.entries == [BusRig.interface, "Level=9"])
        _ = consume slot
      }
    }

    @Test func `a change of a property that never changes is refused`() throws {
      try withLamp { rig, _ in
        #expect(throws: BusError.self) {
          try rig.service.emitPropertiesChanged(
            path: BusRig.path, interface: BusRig.interface, names: ["Maker"])
        }
      }
    }
  }
}
