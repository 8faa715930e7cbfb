// SPDX-License-Identifier: Apache-2.0

// A D-Bus interface as Swift writes it down; ObjectSlot gives it to sd-bus, which checks calls against it
// and answers introspection from it.

/// A D-Bus interface: its methods, properties and signals, with who handles them.
///
///     let interface = Interface("org.example.Lamp", [
///       .method("Dim", inputs: ["level": "u"], flags: .unprivileged) { call, reply throws(BusError) in
///         try lamp.dim(to: call.readUInt32())
///       },
///       .property("Level", "u", changes: .emitted) { reply throws(BusError) in try reply.append(lamp.level) },
///       .signal("BurntOut", ["when": "t"]),
///     ])
public struct Interface {
  /// The interface's name, such as `org.example.Lamp`.
  public let name: String
  let members: [Member]

  /// Describes an interface.
  ///
  /// - Parameters:
  ///   - name: Such as `org.example.Lamp`.
  ///   - members: In the order in which introspection shows them.
  public init(_ name: String, _ members: [Member]) {
    self.name = name
    self.members = members
  }

  /// Answers a call at once: reads the arguments from `call`, appends the results to `reply`, which is sent
  /// afterwards.
  ///
  /// What it throws is answered instead.
  public typealias MethodHandler = (_ call: borrowing Message, _ reply: borrowing Message) throws(BusError) ->
    Void

  /// Gets a call, a compact copy of it, to answer when it likes: with `call.reply()` filled in and sent, or `call.reply(_:)` with an
  /// error.
  ///
  /// What it throws, having answered nothing, is answered.
  public typealias DeferringMethodHandler = (_ call: consuming Message) throws(BusError) -> Void

  /// Appends the value of a property, and nothing else, to `reply`.
  public typealias PropertyGetter = (_ reply: borrowing Message) throws(BusError) -> Void

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

  /// A method, property or signal.
  public struct Member {
    let name: String
    let kind: Kind

    enum Kind {
      case method(inputs: Arguments, outputs: Arguments, MethodFlags, Answer)
      case property(type: String, Changes, PropertyGetter)
      case signal(Arguments)
    }

    enum Answer {
      case immediate(MethodHandler)
      case deferred(DeferringMethodHandler)
    }

    /// A method that answers at once.
    ///
    /// - Parameters:
    ///   - name: Such as `Dim`.
    ///   - inputs: The arguments; sd-bus refuses calls with others.
    ///   - outputs: The results.
    ///   - flags: What sd-bus should know.
    ///   - handler: Answers a call.
    /// - Returns: The member.
    public static func method(
      _ name: String, inputs: Arguments = [:], outputs: Arguments = [:], flags: MethodFlags = [],
      handler: @escaping MethodHandler
    ) -> Member {
      Member(name: name, kind: .method(inputs: inputs, outputs: outputs, flags, .immediate(handler)))
    }

    /// A method that may answer later.
    ///
    /// - Parameters:
    ///   - name: Such as `Measure`.
    ///   - inputs: The arguments; sd-bus refuses calls with others.
    ///   - outputs: The results.
    ///   - flags: What sd-bus should know.
    ///   - handler: Takes a call, to answer it now or later.
    /// - Returns: The member.
    public static func deferringMethod(
      _ name: String, inputs: Arguments = [:], outputs: Arguments = [:], flags: MethodFlags = [],
      handler: @escaping DeferringMethodHandler
    ) -> Member {
      Member(name: name, kind: .method(inputs: inputs, outputs: outputs, flags, .deferred(handler)))
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
      _ name: String, _ type: String, changes: Changes, getter: @escaping PropertyGetter
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
  }
}
