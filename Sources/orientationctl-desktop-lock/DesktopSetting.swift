// SPDX-License-Identifier: Apache-2.0

import CGIO
import CLinux

/// Whether a list of desktops, as XDG_CURRENT_DESKTOP has it, names GNOME; phosh's is "Phosh:GNOME".
///
/// A greeter's is "GNOME-Greeter:GNOME". Its lock is no person's choice, and would replace that of each user who comes back to it.
func isPersonsGNOME(_ desktops: UnsafePointer<CChar>?) -> Bool {
  guard let desktops, let names = g_strsplit(desktops, ":", 0) else { return false }
  defer { g_strfreev(names) }
  let list = UnsafeRawPointer(names).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
  return g_strv_contains(list, "GNOME") != 0 && g_strv_contains(list, "GNOME-Greeter") == 0
}

/// The rotation lock of GNOME and phosh, which quick settings show.
struct DesktopSetting {
  private static let schema = "org.gnome.settings-daemon.peripherals.touchscreen"
  private static let key = "orientation-lock"

  private let settings: UnsafeMutablePointer<GSettings>

  /// Nil if this machine has no such setting.
  init?() {
    // GSettings ends the process if the schema or the key is missing, or is of another kind.
    guard let source = g_settings_schema_source_get_default(),
      let schema = g_settings_schema_source_lookup(source, Self.schema, 1)
    else { return nil }
    defer { g_settings_schema_unref(schema) }
    guard g_settings_schema_get_path(schema) != nil, g_settings_schema_has_key(schema, Self.key) != 0,
      Self.isBoolean(schema), let settings = g_settings_new_full(schema, nil, nil)
    else { return nil }
    self.settings = settings
  }

  private static func isBoolean(_ schema: OpaquePointer) -> Bool {
    let key = g_settings_schema_get_key(schema, Self.key)
    defer { g_settings_schema_key_unref(key) }
    let value = g_settings_schema_key_get_default_value(key)
    defer { g_variant_unref(value) }
    return g_strcmp0(g_variant_get_type_string(value), "b") == 0
  }

  /// Whether it is on.
  var isLocked: Bool { g_settings_get_boolean(settings, Self.key) != 0 }

  /// Sets it.
  ///
  /// - Returns: whether it may be set: an administrator can lock a setting down.
  func set(_ isLocked: Bool) -> Bool { g_settings_set_boolean(settings, Self.key, isLocked ? 1 : 0) != 0 }

  /// Has a handler called with the pointer, as its third argument, after each change of anybody's.
  ///
  /// GSettings tells only of a setting that is read after this.
  func whenChanged(
    _ data: UnsafeMutableRawPointer,
    _ handler:
      @escaping @convention(c) (
        UnsafeMutablePointer<GSettings>?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
      ) -> Void
  ) {
    let handler = unsafeBitCast(handler, to: GCallback.self)
    let flags = GConnectFlags(rawValue: 0)
    g_signal_connect_data(settings, "changed::\(Self.key)", handler, data, nil, flags)
  }
}
