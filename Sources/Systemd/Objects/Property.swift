// SPDX-License-Identifier: Apache-2.0

extension Message {
  /// Appends an entry of an `a{sv}`, which is open.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - value: the value.
  /// - Throws: `BusError` if the message does not take it.
  package borrowing func appendEntry<Value: PropertyValue>(_ key: String, _ value: Value) throws(BusError) {
    try appendEntry(key, Value.type) { variant throws(BusError) in try value.append(to: variant) }
  }

  /// Appends an entry of an `a{sv}`, which is open.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - type: the D-Bus type of the value.
  ///   - value: appends the value.
  /// - Throws: `BusError` if the message does not take it.
  package borrowing func appendEntry(
    _ key: String, _ type: String, value: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.dictionaryEntry, "sv") { entry throws(BusError) in
      try entry.append(key)
      try entry.append(.variant, type, value)
    }
  }
}

/// A property whose changes are announced, unless it says otherwise, as a row of an interface's table of properties.
///
///     let properties = [Property<LampState>("Level") { $0.level }, Property("Color") { $0.color.name }]
///
/// `Values` has the values of all rows. What clients read and what is announced follow from the same row.
package struct Property<Values> {
  /// Its name on D-Bus.
  package let name: String
  /// Its D-Bus type.
  package let type: String
  /// Appends its value.
  package let append: (_ values: Values, _ message: borrowing Message) throws(BusError) -> Void
  /// Whether changes are announced.
  package let isAnnounced: Bool
  /// Whether its values differ.
  package let differs: (_ values: Values, _ earlier: Values) -> Bool

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - name: the name on D-Bus.
  ///   - isAnnounced: whether changes are announced; otherwise clients read it when they need it.
  ///   - value: how its value follows from all.
  package init<Value: PropertyValue>(
    _ name: String, isAnnounced: Bool = true, _ value: @escaping (Values) -> Value
  ) {
    self.name = name
    self.isAnnounced = isAnnounced
    type = Value.type
    append = { values, message throws(BusError) in try value(values).append(to: message) }
    differs = { value($0) != value($1) }
  }
}

extension Array {
  /// Those of a table of properties whose values differ, and are announced.
  package func changed<Values>(from earlier: Values, to values: Values) -> [Property<Values>]
  where Element == Property<Values> {
    filter { $0.isAnnounced && $0.differs(values, earlier) }
  }
}

extension Interface.Member {
  /// The members for a table of properties.
  ///
  /// - Parameters:
  ///   - table: the properties, in the order in which introspection shows them.
  ///   - values: the present values, for whom the reply goes to.
  /// - Returns: the members.
  package static func properties<Values>(
    _ table: [Property<Values>],
    values: @escaping (_ handler: Handler, _ reply: borrowing Message) -> Values
  ) -> [Interface.Member<Handler>] {
    table.map { row in
      let changes = row.isAnnounced ? Interface.Changes.emitted : .silent
      return .property(row.name, row.type, changes: changes) { handler, reply throws(BusError) in
        try row.append(values(handler, reply), reply)
      }
    }
  }
}
