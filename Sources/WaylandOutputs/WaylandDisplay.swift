// SPDX-License-Identifier: Apache-2.0

// The outputs of a Wayland compositor that offers wlr-output-management, as those built on wlroots and some others do. Nothing waits
// here: requests are written, and events are handled when the event loop says that there are some.

import CLinux
import CWayland
import Following

/// The connection to the compositor.
final class WaylandDisplay {
  let handle: OpaquePointer

  /// Connects to the compositor of the session.
  ///
  /// - Throws: `CommandError` if there is none.
  init() throws(CommandError) {
    wayland_drop_messages()
    try Self.checkInheritedSocket()
    guard let display = wl_display_connect(nil) else {
      let reason = String(cString: strerror(errno))
      throw CommandError(
        "cannot connect to a Wayland compositor (\(reason)); run this in its session, with its WAYLAND_DISPLAY and "
          + "XDG_RUNTIME_DIR")
    }
    handle = display
  }

  deinit { wl_display_disconnect(handle) }

  /// libwayland takes any descriptor that `WAYLAND_SOCKET` names, also one that is something else of this process.
  private static func checkInheritedSocket() throws(CommandError) {
    guard let text = getenv("WAYLAND_SOCKET") else { return }
    var status = stat()
    guard let descriptor = CInt(String(cString: text)), fstat(descriptor, &status) == 0,
      status.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK)
    else {
      throw CommandError("WAYLAND_SOCKET is not a socket that this program has inherited; unset it")
    }
  }

  /// Has something to read when there are events.
  var descriptor: CInt { wl_display_get_fd(handle) }

  /// Reads, and handles events.
  ///
  /// - Returns: whether the compositor is still there.
  func dispatch() -> Bool {
    while wl_display_prepare_read(handle) != 0 {
      guard wl_display_dispatch_pending(handle) >= 0 else { return false }
    }
    guard wl_display_read_events(handle) >= 0, wl_display_dispatch_pending(handle) >= 0 else { return false }
    return flush()
  }

  /// Writes the requests that have been made.
  ///
  /// A request is some hundred bytes, and is answered before the next: so that they fill the socket, the compositor must be dead.
  ///
  /// - Returns: whether the compositor is still there.
  func flush() -> Bool { wl_display_flush(handle) >= 0 || errno == EAGAIN }

  /// Why the connection has ended.
  var failure: CommandError {
    switch wl_display_get_error(handle) {
    case EPROTO: break
    case 0, EPIPE, ECONNRESET: return CommandError("the compositor has ended")
    // libwayland leaves any errno behind for what is no message, and has no room for requests that are not read.
    default: return CommandError("the compositor does not keep to Wayland's protocol")
    }
    var interface: UnsafePointer<wl_interface>?
    let code = wl_display_get_protocol_error(handle, &interface, nil)
    let name = interface.map { String(cString: $0.pointee.name) } ?? "?"
    return CommandError("the compositor refuses a request: error \(code) of \(name)")
  }
}

/// Stores a listener where libwayland can read it as long as the process lives.
func stored<Listener>(_ listener: Listener) -> UnsafeMutablePointer<Listener> {
  let pointer = UnsafeMutablePointer<Listener>.allocate(capacity: 1)
  pointer.initialize(to: listener)
  return pointer
}
