// SPDX-License-Identifier: Apache-2.0

// A D-Bus interface as Swift writes it down. ObjectSlot gives it to sd-bus, which checks calls against it and answers
// introspection from it.

/// A D-Bus interface: its methods, properties and signals, and the object that handles them.
///
///     final class Lamp {
///       private var slot: ObjectSlot?
///
///       init(on bus: Bus) throws(BusError) {
///         let interface = Interface("org.example.Lamp", of: self, [
///           .method("Dim", inputs: ["level": "u"]) { lamp, call throws(BusError) in
///             try lamp.dim(to: call.readUInt32())
///             try call.reply().send()
///           },
///           .property("Level", "u", changes: .emitted) { lamp, reply throws(BusError) in
///             try reply.append(lamp.level)
///           },
///           .signal("BurntOut", ["when": "t"]),
///         ])
///         slot = try ObjectSlot(on: bus, path: "/org/example/lamp", interface: interface)
///       }
///     }
///
/// The interface does not keep its handler alive. The handler owns the `ObjectSlot`, as above, and the slot owns the
/// interface's members: a reference back to the handler would be a cycle, and none of them would ever be freed. An owner
/// that keeps the slot elsewhere must release it before the handler.
package struct Interface {
  /// The interface's name, such as `org.example.Lamp`.
  package let name: String
  let members: [InterfaceMember]

  /// Describes an interface.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Lamp`.
  ///   - handler: Given to each member. It must outlive the `ObjectSlot` of the interface, which does not retain it.
  ///   - members: In the order in which introspection shows them.
  package init<Handler: AnyObject>(_ name: String, of handler: Handler, _ members: [Member<Handler>]) {
    self.name = name
    self.members = members.map { $0.bound(Unmanaged.passUnretained(handler)) }
  }

  /// Names of arguments, each with its D-Bus type.
  package typealias Arguments = KeyValuePairs<String, String>

  /// What clients may expect of a property's value.
  package enum Changes: Sendable {
    /// It never changes.
    case constant
    /// Each change is signalled, with the new value.
    case emitted
    /// Changes are not signalled.
    case silent
  }

  /// A method, property or signal of a handler's interface.
  package struct Member<Handler: AnyObject> {
    /// Makes the member for sd-bus's callbacks, which know no type of handler.
    ///
    /// The handler is retained while a member runs, and only then: a member may release its own handler.
    fileprivate let bound: (_ handler: Unmanaged<Handler>) -> InterfaceMember

    /// Takes a compact copy of a call, to answer it now or later: with `call.reply()` filled in and sent, or with
    /// `call.reply(_:)` and an error.
    ///
    /// If it throws, it must not have answered: the error is sent.
    package typealias Method = (_ handler: Handler, _ call: consuming Message) throws(BusError) -> Void

    /// Appends the value of a property, and nothing else, to `reply`.
    package typealias Getter = (_ handler: Handler, _ reply: borrowing Message) throws(BusError) -> Void

    /// A method.
    ///
    /// Every user may call it; whether it does anything for him is up to the handler.
    ///
    /// - Parameters:
    ///   - name: Such as `Dim`.
    ///   - inputs: The arguments; sd-bus refuses calls with others.
    ///   - outputs: The results.
    ///   - body: Takes a call, to answer it now or later.
    /// - Returns: The member.
    package static func method(
      _ name: String, inputs: Arguments = [:], outputs: Arguments = [:], body: @escaping Method
    ) -> Member {
      Member { handler in
        InterfaceMember(
          name,
          .method(inputs: inputs, outputs: outputs) { call throws(BusError) in
            try body(handler.takeUnretainedValue(), call)
          })
      }
    }

    /// A property that clients can read.
    ///
    /// - Parameters:
    ///   - name: Such as `Level`.
    ///   - type: The D-Bus type of the value.
    ///   - changes: What clients may expect.
    ///   - getter: Appends the value.
    /// - Returns: The member.
    package static func property(
      _ name: String, _ type: String, changes: Changes, getter: @escaping Getter
    ) -> Member {
      Member { handler in
        InterfaceMember(
          name,
          .property(type: type, changes) { reply throws(BusError) in
            try getter(handler.takeUnretainedValue(), reply)
          })
      }
    }

    /// A signal.
    ///
    /// It is sent with `Bus.signal(path:interface:member:to:)`; this is for introspection.
    ///
    /// - Parameters:
    ///   - name: Such as `BurntOut`.
    ///   - arguments: What it carries.
    /// - Returns: The member.
    package static func signal(_ name: String, _ arguments: Arguments = [:]) -> Member {
      Member { _ in InterfaceMember(name, .signal(arguments)) }
    }
  }
}

/// A member of an interface together with its handler; sd-bus gives its address to the callbacks.
final class InterfaceMember {
  enum Kind {
    case method(
      inputs: Interface.Arguments, outputs: Interface.Arguments,
      (_ call: consuming Message) throws(BusError) -> Void)
    case property(type: String, Interface.Changes, (_ reply: borrowing Message) throws(BusError) -> Void)
    case signal(Interface.Arguments)
  }

  let name: String
  let kind: Kind

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}
