// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct IntrospectionTests {
    private let interface = Interface(
      BusRig.interface, of: nobody,
      [
        .method("Dim", inputs: ["level": "u", "slope": "d"], outputs: ["before": "u"]) {
          _, _, _ in
        },
        .property("Level", "u", changes: .emitted) { _, reply throws(BusError) in try reply.append(UInt32(1))
        },
        .property("Maker", "s", changes: .constant) { _, reply throws(BusError) in try reply.append("Ann") },
        .property("Gravity", "(ddd)", changes: .constant) { _, reply throws(BusError) in
          try reply.append(.structure, "ddd") { reply throws(BusError) in
            for _ in 0..<3 { try reply.append(0.0) }
          }
        },
        .signal("BurntOut", ["when": "t"]),
      ])

    @Test func `introspection shows all members with the names of their arguments`() throws {
      let rig = try BusRig()
      let slot = try ObjectSlot(on: rig.service, path: BusRig.path, interface: interface)
      let unique = try rig.service.uniqueName
      let xml = try rig.busctl("introspect", "--xml-interface", unique, BusRig.path).output
      for part in [
        "<interface name=\"org.example.Thing\">",
        "<method name=\"Dim\">",
        "<arg type=\"u\" name=\"level\" direction=\"in\"/>",
        "<arg type=\"d\" name=\"slope\" direction=\"in\"/>",
        "<arg type=\"u\" name=\"before\" direction=\"out\"/>",
        "<property name=\"Level\" type=\"u\" access=\"read\">\n  </property>",
        "<property name=\"Maker\" type=\"s\" access=\"read\">\n"
          + "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"const\"/>",
        "<property name=\"Gravity\" type=\"(ddd)\" access=\"read\">\n"
          + "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"const\"/>",
        "<signal name=\"BurntOut\">\n   <arg type=\"t\" name=\"when\"/>",
      ] {
        #expect(xml.contains(part), "\(xml)")
      }
      _ = consume slot
    }

    @Test func `an object has as many interfaces as slots`() throws {
      let rig = try BusRig()
      let first = try ObjectSlot(on: rig.service, path: BusRig.path, interface: interface)
      let second = try ObjectSlot(
        on: rig.service, path: BusRig.path, interface: Interface("org.example.Empty", of: nobody, []))
      let unique = try rig.service.uniqueName
      let xml = try rig.busctl("introspect", "--xml-interface", unique, BusRig.path).output
      #expect(xml.contains("<interface name=\"org.example.Thing\">"))
      #expect(xml.contains("<interface name=\"org.example.Empty\">"))
      _ = consume first
      let after = try rig.busctl("introspect", "--xml-interface", unique, BusRig.path).output
      #expect(!after.contains("org.example.Thing"))
      #expect(after.contains("org.example.Empty"))
      _ = consume second
    }

    @Test func `the same interface twice on an object is refused`() throws {
      let rig = try BusRig()
      let slot = try ObjectSlot(on: rig.service, path: BusRig.path, interface: interface)
      let error = #expect(throws: BusError.self) {
        _ = try ObjectSlot(on: rig.service, path: BusRig.path, interface: interface)
      }
      #expect(error?.code == EEXIST)
      _ = consume slot
    }

    @Test(arguments: ["nodots", "", "org.example.Two words"])
    func `a malformed interface name is refused`(name: String) throws {
      let rig = try BusRig()
      #expect(throws: BusError.self) {
        _ = try ObjectSlot(on: rig.service, path: BusRig.path, interface: Interface(name, of: nobody, []))
      }
    }

    @Test func `a malformed signature is refused, and the handlers are freed`() throws {
      let rig = try BusRig()
      weak var canary: Canary?
      #expect(throws: BusError.self) {
        let bird = Canary()
        canary = bird
        let wrong = Interface(
          BusRig.interface, of: nobody, [.method("A", inputs: ["x": "("]) { _, _, _ in bird.sing() }])
        _ = try ObjectSlot(on: rig.service, path: BusRig.path, interface: wrong)
      }
      #expect(canary == nil)
    }

    @Test func `an object that is gone answers no more, and has freed its handlers`() throws {
      let rig = try BusRig()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let slot = try ObjectSlot(
          on: rig.service, path: BusRig.path,
          interface: Interface(
            BusRig.interface, of: nobody, [.method("A") { _, _, _ in bird.sing() }]))
        var failed = true
        try rig.call("A", reply: { failed = $0.isMethodError })
        #expect(!failed)
        _ = consume slot
      }
      #expect(canary == nil)
      var name: String?
      try rig.call("A", reply: { name = $0.error?.name })
      #expect(name == BusError.Name.unknownObject)
    }

    @Test func `a method may drop its own object, and still answers`() throws {
      final class Owner { var slot: ObjectSlot? }
      let rig = try BusRig()
      let owner = Owner()
      weak var canary: Canary?
      do {
        let bird = Canary()
        canary = bird
        let interface = Interface(
          BusRig.interface, of: owner,
          [
            .method("Leave", outputs: ["words": "s"]) {
              owner, _, reply throws(BusError) in
              bird.sing()
              owner.slot = nil
              try reply.append("bye")
            }
          ])
        owner.slot = try ObjectSlot(on: rig.service, path: BusRig.path, interface: interface)
      }
      var words: String?
      try rig.call("Leave", reply: { words = try? $0.readString() })
      #expect(words == "bye")
      #expect(canary == nil)
    }

    @Test func `a method may release its own handler, which lives until it has answered`() throws {
      let rig = try BusRig()
      let house = House()
      weak var guest: Guest?
      do {
        let newcomer = try Guest(of: house, on: rig.service)
        guest = newcomer
        house.guest = newcomer
      }
      var words: String?
      try rig.call("Leave", reply: { words = try? $0.readString() })
      #expect(words == "bye from the guest")
      #expect(guest == nil)
    }

    @Test func `a handler that is gone has taken its interface off the bus`() throws {
      let rig = try BusRig()
      let house = House()
      weak var guest: Guest?
      do {
        let newcomer = try Guest(of: house, on: rig.service)
        guest = newcomer
        house.guest = newcomer
      }
      house.guest = nil
      #expect(guest == nil)
      var name: String?
      try rig.call("Leave", reply: { name = $0.error?.name })
      #expect(name == BusError.Name.unknownObject)
    }
  }
}

/// Owns a handler.
private final class House {
  var guest: Guest?
}

/// A handler that owns its interface's slot, as services do, and can be released by a call.
private final class Guest {
  private let name = "the guest"
  private unowned let house: House
  private var slot: ObjectSlot?

  init(of house: House, on bus: Bus) throws {
    self.house = house
    slot = try ObjectSlot(
      on: bus, path: BusRig.path,
      interface: Interface(
        BusRig.interface, of: self,
        [
          .method("Leave", outputs: ["words": "s"]) {
            guest, _, reply throws(BusError) in
            guest.house.guest = nil
            try reply.append("bye from \(guest.name)")
          }
        ]))
  }
}
