// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A widget, or another object, of the window; it lives as long as the window.
@MainActor
package struct Widget {
  /// GTK's own.
  package let pointer: UnsafeMutableRawPointer

  /// Creates it from GTK's own.
  package init(pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  /// Sets a property that is a text.
  package func set(_ property: String, _ text: String) { ui_set_string(pointer, property, text) }
  /// Sets a property that is markup to a text, which is shown as it is.
  package func setEscaped(_ property: String, _ text: String) { ui_set_escaped(pointer, property, text) }
  /// Sets a property that is true or false.
  package func set(_ property: String, _ value: Bool) { ui_set_boolean(pointer, property, value ? 1 : 0) }
  /// Sets a property that is an integer or an enumeration.
  package func set(_ property: String, _ value: CInt) { ui_set_int(pointer, property, value) }
  /// Sets a property that is a number.
  package func set(_ property: String, _ value: Double) { ui_set_double(pointer, property, value) }

  /// Whether a property is true.
  package func isTrue(_ property: String) -> Bool { ui_get_boolean(pointer, property) != 0 }

  /// A property that is a number from 0 on.
  package func number(_ property: String) -> Int { Int(ui_get_unsigned(pointer, property)) }

  /// Calls a function on each signal of this name, which must return nothing, or false.
  package func on(_ signal: String, _ body: @escaping @MainActor () -> Void) {
    ui_connect(
      pointer, signal, { data in Handler<Void, Void>.call(data, ()) }, Handler(body).data, release)
  }

  /// Calls a function before each frame that is drawn, until it returns false.
  ///
  /// - Parameter body: gets the time of the frame, in microseconds from any moment on.
  package func onEachFrame(_ body: @escaping @MainActor (Int64) -> Bool) {
    ui_add_tick_function(
      pointer,
      { _, clock, data in
        Handler<Int64, Bool>.call(data, Int64(gdk_frame_clock_get_frame_time(clock))) ? 1 : 0
      }, Handler(body).data, release)
  }
}

/// Keeps a function that GTK calls until it releases it.
private final class Handler<Argument: Sendable, Result: Sendable>: Sendable {
  private let body: @MainActor (Argument) -> Result

  init(_ body: @escaping @MainActor (Argument) -> Result) { self.body = body }

  /// For GTK, which must release it.
  var data: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// Calls it.
  static func call(_ data: UnsafeMutableRawPointer?, _ argument: Argument) -> Result {
    guard let data else { preconditionFailure("GTK has lost the data of a signal") }
    let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
    return MainActor.assumeIsolated { handler.body(argument) }
  }
}

private let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}

/// The objects of a window by their names in its layout.
@MainActor
package struct Widgets {
  private let builder: OpaquePointer

  /// Creates them.
  ///
  /// - Parameter layout: in the language of GtkBuilder; one with an error ends the program.
  package init(_ layout: String) {
    guard let builder = gtk_builder_new_from_string(layout, -1) else { preconditionFailure("no memory") }
    self.builder = builder
  }

  /// The object of a name; one that the layout does not have is an error of this program.
  package subscript(name: String) -> Widget {
    guard let object = gtk_builder_get_object(builder, name) else {
      preconditionFailure("the window has no \(name)")
    }
    return Widget(pointer: object)
  }
}
