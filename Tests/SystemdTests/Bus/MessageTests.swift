// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd
import TestSupport
import Testing

extension SystemdTests {
  @Suite struct MessageTests {
    /// Has a signal with arguments travel over a bus, and reads what arrives.
    private func travel(
      writing write: (borrowing Message) throws(BusError) -> Void,
      reading read: @escaping (borrowing Message) throws(BusError) -> Void
    ) throws {
      let rig = try BusRig()
      let arrived = Flag()
      let log = Log()
      let slot = try rig.client.match("type='signal',interface='\(BusRig.interface)'") { message in
        do throws(BusError) {
          try read(message)
        } catch {
          log.entries.append(error.description)
        }
        arrived.isSet = true
      }
      let signal = try rig.service.signal(
        path: BusRig.path, interface: BusRig.interface, member: "Travelled")
      try write(signal)
      try rig.service.send(signal)
      try rig.turn { arrived.isSet }
      #expect(log.entries == [])
      _ = consume slot
    }

    @Test func `every basic type arrives as it was appended`() throws {
      try travel { message throws(BusError) in
        try message.append(true)
        try message.append(false)
        try message.append(Int32.min)
        try message.append(UInt32.max)
        try message.append(UInt64.max)
        try message.append(-9.81)
        try message.append("Grüße, \u{1F4D0}")
        try message.append(objectPath: "/a/b")
      } reading: { message throws(BusError) in
        #expect(message.signature == "bbiutdso")
        #expect(try message.readBool())
        #expect(try message.readBool() == false)
        try message.skip("i")
        #expect(try message.readUInt32() == .max)
        #expect(try message.readUInt64() == .max)
        #expect(try message.readDouble() == -9.81)
        #expect(try message.readString() == "Grüße, \u{1F4D0}")
        #expect(try message.readObjectPath() == "/a/b")
        #expect(try message.isAtEnd())
      }
    }

    @Test func `containers arrive nested as they were appended`() throws {
      try travel { message throws(BusError) in
        try message.append(.structure, "ddd") { message throws(BusError) in
          for value in [0, 9.81, -0.5] { try message.append(value) }
        }
        try message.append(["a", "b"])
        try message.append([String]())
        try message.append(.array, "{sv}") { message throws(BusError) in
          try message.append(.dictionaryEntry, "sv") { message throws(BusError) in
            try message.append("name")
            try message.append(.variant, "s") { message throws(BusError) in try message.append(":1.5") }
          }
        }
      } reading: { message throws(BusError) in
        #expect(message.signature == "(ddd)asasa{sv}")
        let vector = try message.read(.structure, "ddd") { message throws(BusError) in
          [try message.readDouble(), try message.readDouble(), try message.readDouble()]
        }
        #expect(vector == [0, 9.81, -0.5])
        #expect(try message.readStrings() == ["a", "b"])
        #expect(try message.readStrings() == [])
        var entries: [String: String] = [:]
        try message.readArray(of: "{sv}") { message throws(BusError) in
          try message.read(.dictionaryEntry, "sv") { message throws(BusError) in
            let key = try message.readString()
            entries[key] = try message.read(.variant, "s") { message throws(BusError) in
              try message.readString()
            }
          }
        }
        #expect(entries == ["name": ":1.5"])
      }
    }

    @Test func `a variant of unknown type tells its type, and can be skipped`() throws {
      try travel { message throws(BusError) in
        try message.append(.variant, "u") { message throws(BusError) in try message.append(UInt32(5)) }
        try message.append(.variant, "as") { message throws(BusError) in try message.append(["x"]) }
        try message.append("after")
      } reading: { message throws(BusError) in
        let number: UInt32 = try message.readVariant()
        #expect(number == 5)
        try message.readAnyVariant { contents, message throws(BusError) in
          #expect(contents == "as")
          try message.skip(contents)
        }
        #expect(try message.readString() == "after")
        try message.rewind()
        try message.skip("v")
        try message.skip()
        #expect(try message.readString() == "after")
      }
    }

    @Test func `reading another type, or past the end, is InvalidArgs`() throws {
      try travel { message throws(BusError) in
        try message.append(UInt32(1))
      } reading: { message throws(BusError) in
        func name(_ body: () throws(BusError) -> Void) -> String? {
          do throws(BusError) {
            try body()
            return nil
          } catch { return error.name }
        }
        #expect(
          name { () throws(BusError) in _ = try message.readString() } == BusError.Name.invalidArguments)
        #expect(
          name { () throws(BusError) in try message.read(.variant, "u") { _ in } }
            == BusError.Name.invalidArguments)
        #expect(name { () throws(BusError) in _ = try message.readUInt32() } == nil)
        #expect(
          name { () throws(BusError) in _ = try message.readUInt32() } == BusError.Name.invalidArguments)
      }
    }

    @Test func `a container closed with less than announced is refused`() throws {
      let rig = try BusRig()
      let signal = try rig.service.signal(path: "/", interface: "org.example.A", member: "B")
      #expect(throws: BusError.self) {
        try signal.append(.structure, "uu") { message throws(BusError) in try message.append(UInt32(1)) }
      }
    }

    @Test func `malformed names are refused`() throws {
      let rig = try BusRig()
      #expect(throws: BusError.self) {
        _ = try rig.service.signal(path: "no/slash", interface: "org.example.A", member: "B")
      }
      #expect(throws: BusError.self) {
        _ = try rig.service.methodCall(
          destination: "org.example.A", path: "/", interface: "nodots", member: "B")
      }
    }

    @Test func `interactive authorization is allowed only where the caller says so`() throws {
      let rig = try BusRig()
      let log = Log()
      let slot = try ObjectSlot(
        on: rig.service, path: BusRig.path,
        interface: Interface(
          BusRig.interface, of: log,
          [
            .method("Ask") { log, call, _ in
              log.entries.append("\(call.allowsInteractiveAuthorization)")
            }
          ]))
      try rig.call("Ask")
      try rig.call("Ask") { call throws(BusError) in try call.allowInteractiveAuthorization() }
      #expect(log.entries == ["false", "true"])
      _ = consume slot
    }

    @Test func `an error knows the errno nearest to it, and back`() {
      #expect(BusError(name: BusError.Name.accessDenied, message: "").code == EACCES)
      #expect(BusError(name: "org.example.Error.Own", message: "").code == EIO)
      #expect(BusError(code: EACCES, operation: "test").name == BusError.Name.accessDenied)
      #expect(BusError(name: "org.example.Error.Own", message: "").description == "org.example.Error.Own")
      let error = BusError(name: "org.example.Error.Own", message: "It broke")
      #expect(error.description == "It broke (org.example.Error.Own)")
    }
  }
}
