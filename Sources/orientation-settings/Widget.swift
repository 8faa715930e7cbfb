// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// A widget, or another object, of the window; it lives as long as the window.
@MainActor
struct Widget {
  /// GTK's own.
  let pointer: UnsafeMutableRawPointer

  /// Sets a property that is a text.
  func set(_ property: String, _ text: String) { ui_set_string(pointer, property, text) }
  /// Sets a property that is true or false.
  func set(_ property: String, _ value: Bool) { ui_set_boolean(pointer, property, value ? 1 : 0) }
  /// Sets a property that is an integer or an enumeration.
  func set(_ property: String, _ value: CInt) { ui_set_int(pointer, property, value) }
  /// Sets a property that is a number.
  func set(_ property: String, _ value: Double) { ui_set_double(pointer, property, value) }

  /// Whether a property is true.
  func isTrue(_ property: String) -> Bool { ui_get_boolean(pointer, property) != 0 }

  /// Calls a function on each signal of this name, which must return nothing, or false.
  func on(_ signal: String, _ body: @escaping @MainActor () -> Void) {
    ui_connect(
      pointer, signal, { data in Handler<Void, Void>.call(data, ()) }, Handler(body).data, release)
  }

  /// Calls a function before each frame that is drawn, until it returns false.
  ///
  /// - Parameter body: gets the time of the frame, in microseconds from any moment on.
  func onEachFrame(_ body: @escaping @MainActor (Int64) -> Bool) {
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

/// The objects of the window by their names in ``windowLayout``.
@MainActor
struct Widgets {
  private let builder: OpaquePointer

  /// Creates them.
  init() {
    guard let builder = gtk_builder_new_from_string(windowLayout, -1) else {
      preconditionFailure("no memory")
    }
    self.builder = builder
  }

  /// The object of a name; one that the layout does not have is an error of this program.
  subscript(name: String) -> Widget {
    guard let object = ui_object(builder, name) else { preconditionFailure("the window has no \(name)") }
    return Widget(pointer: object)
  }
}
