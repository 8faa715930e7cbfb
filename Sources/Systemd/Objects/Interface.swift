// SPDX-License-Identifier: Apache-2.0

// A D-Bus interface as Swift writes it down. ObjectSlot gives it to sd-bus, which checks calls against it and answers
// introspection from it.

/// A D-Bus interface: its methods, properties and signals, and the object that handles them.
///
///     final class Lamp {
///       private var slot: ObjectSlot?
///
///       init(on bus: borrowing Bus) throws(BusError) {
///         let interface = Interface("org.example.Lamp", of: self, [
///           .method("Dim", inputs: ["level": "u"], flags: .unprivileged) { lamp, call, _ throws(BusError) in
///             try lamp.dim(to: call.readUInt32())
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
public struct Interface {
  /// The interface's name, such as `org.example.Lamp`.
  public let name: String
  let members: [BoundMember]

  /// Describes an interface.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Lamp`.
  ///   - handler: Given to each member. It must outlive the `ObjectSlot` of the interface, which does not retain it.
  ///   - members: In the order in which introspection shows them.
  public init<Handler: AnyObject>(_ name: String, of handler: Handler, _ members: [Member<Handler>]) {
    self.name = name
    var bound: [BoundMember] = []
    for member in members { bound.append(member.bound(to: Unmanaged.passUnretained(handler))) }
    self.members = bound
  }

  /// Names of arguments, each with its D-Bus type.
  public typealias Arguments = KeyValuePairs<String, String>

  /// What sd-bus should know of a method.
  public struct MethodFlags: OptionSet, Sendable {
    /// `SD_BUS_VTABLE_` bits.
    public let rawValue: UInt64

    /// Creates flags from `SD_BUS_VTABLE_` bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Introspection marks it as deprecated.
    public static let deprecated = MethodFlags(rawValue: 1 << 0)
    /// Every user may call it.
    ///
    /// Without this, sd-bus lets only root and the service's own user through.
    public static let unprivileged = MethodFlags(rawValue: 1 << 2)
  }

  /// What clients may expect of a property's value.
  public enum Changes: Sendable {
    /// It never changes.
    case constant
    /// Each change is signalled, with the new value.
    case emitted
    /// Each change is signalled, without the new value.
    case invalidated
    /// Changes are not signalled.
    case silent
  }

  /// A method, property or signal of a handler's interface.
  public struct Member<Handler: AnyObject> {
    private let name: String
    private let kind: Kind

    private enum Kind {
      case method(inputs: Arguments, outputs: Arguments, MethodFlags, Method)
      case deferringMethod(inputs: Arguments, outputs: Arguments, MethodFlags, DeferringMethod)
      case property(type: String, Changes, Getter)
      case signal(Arguments)
    }

    /// Answers a call at once: reads the arguments from `call` and appends the results to `reply`, which is sent
    /// afterwards.
    ///
    /// An error that it throws is sent instead.
    public typealias Method = (_ handler: Handler, _ call: borrowing Message, _ reply: borrowing Message)
      throws(BusError) -> Void

    /// Takes a compact copy of a call, to answer it now or later: with `call.reply()` filled in and sent, or with
    /// `call.reply(_:)` and an error.
    ///
    /// If it throws, it must not have answered: the error is sent.
    public typealias DeferringMethod = (_ handler: Handler, _ call: consuming Message) throws(BusError) ->
      Void

    /// Appends the value of a property, and nothing else, to `reply`.
    public typealias Getter = (_ handler: Handler, _ reply: borrowing Message) throws(BusError) -> Void

    /// A method that answers at once.
    ///
    /// - Parameters:
    ///   - name: Such as `Dim`.
    ///   - inputs: The arguments; sd-bus refuses calls with others.
    ///   - outputs: The results.
    ///   - flags: What sd-bus should know.
    ///   - body: Answers a call.
    /// - Returns: The member.
    public static func method(
      _ name: String, inputs: Arguments = [:], outputs: Arguments = [:], flags: MethodFlags = [],
      body: @escaping Method
    ) -> Member {
      Member(name: name, kind: .method(inputs: inputs, outputs: outputs, flags, body))
    }

    /// A method that may answer later.
    ///
    /// - Parameters:
    ///   - name: Such as `Measure`.
    ///   - inputs: The arguments; sd-bus refuses calls with others.
    ///   - outputs: The results.
    ///   - flags: What sd-bus should know.
    ///   - body: Takes a call, to answer it now or later.
    /// - Returns: The member.
    public static func deferringMethod(
      _ name: String, inputs: Arguments = [:], outputs: Arguments = [:], flags: MethodFlags = [],
      body: @escaping DeferringMethod
    ) -> Member {
      Member(name: name, kind: .deferringMethod(inputs: inputs, outputs: outputs, flags, body))
    }

    /// A property that clients can read.
    ///
    /// - Parameters:
    ///   - name: Such as `Level`.
    ///   - type: The D-Bus type of the value.
    ///   - changes: What clients may expect.
    ///   - getter: Appends the value.
    /// - Returns: The member.
    public static func property(
      _ name: String, _ type: String, changes: Changes, getter: @escaping Getter
    ) -> Member {
      Member(name: name, kind: .property(type: type, changes, getter))
    }

    /// A signal.
    ///
    /// It is sent with `Bus.signal(path:interface:member:)`; this is for introspection.
    ///
    /// - Parameters:
    ///   - name: Such as `BurntOut`.
    ///   - arguments: What it carries.
    /// - Returns: The member.
    public static func signal(_ name: String, _ arguments: Arguments = [:]) -> Member {
      Member(name: name, kind: .signal(arguments))
    }

    /// The member for sd-bus's callbacks, which know no type of handler.
    ///
    /// The handler is retained while a member runs, and only then: a member may release its own handler.
    fileprivate func bound(to handler: Unmanaged<Handler>) -> BoundMember {
      switch kind {
      case .method(let inputs, let outputs, let flags, let body):
        BoundMember(
          name: name,
          kind: .method(
            inputs: inputs, outputs: outputs, flags,
            .immediate { call, reply throws(BusError) in
              try body(handler.takeUnretainedValue(), call, reply)
            }))
      case .deferringMethod(let inputs, let outputs, let flags, let body):
        BoundMember(
          name: name,
          kind: .method(
            inputs: inputs, outputs: outputs, flags,
            .deferred { call throws(BusError) in try body(handler.takeUnretainedValue(), call) }))
      case .property(let type, let changes, let getter):
        BoundMember(
          name: name,
          kind: .property(type: type, changes) { reply throws(BusError) in
            try getter(handler.takeUnretainedValue(), reply)
          })
      case .signal(let arguments):
        BoundMember(name: name, kind: .signal(arguments))
      }
    }
  }
}

/// A member of an interface together with its handler.
struct BoundMember {
  let name: String
  let kind: Kind

  enum Kind {
    case method(inputs: Interface.Arguments, outputs: Interface.Arguments, Interface.MethodFlags, Answer)
    case property(type: String, Interface.Changes, (_ reply: borrowing Message) throws(BusError) -> Void)
    case signal(Interface.Arguments)
  }

  enum Answer {
    case immediate((_ call: borrowing Message, _ reply: borrowing Message) throws(BusError) -> Void)
    case deferred((_ call: consuming Message) throws(BusError) -> Void)
  }
}
