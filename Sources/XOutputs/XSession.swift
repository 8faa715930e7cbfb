// SPDX-License-Identifier: Apache-2.0

/// Which kind of desktop a session has.
public enum XSession {
  /// Whether the session is one of an X server.
  ///
  /// Wayland sessions have a `DISPLAY` as well, for programs that cannot speak Wayland.
  ///
  /// - Parameter environment: reads a variable.
  /// - Returns: whether there is an X server and no Wayland compositor.
  public static func isThere(environment: (String) -> String?) -> Bool {
    func has(_ name: String) -> Bool { environment(name).map { !$0.isEmpty } ?? false }
    return has("DISPLAY") && !has("WAYLAND_DISPLAY") && !has("WAYLAND_SOCKET")
      && environment("XDG_SESSION_TYPE") != "wayland"
  }
}
