// SPDX-License-Identifier: Apache-2.0

// This folder: the X server, of which the outputs are read and set here. Each request that has an answer waits for it, which takes
// less than a millisecond; only a change of a mode can take longer.

import CX11
import Following
import Systemd

/// The connection to the X server.
final class XServer {
  /// What the server has said of what was changed.
  struct News: OptionSet {
    let rawValue: Int
    static let screen = News(rawValue: 1)
    static let devices = News(rawValue: 2)
  }

  let display: OpaquePointer
  /// The window that is as large as the screen.
  let root: UInt
  /// Whether the connection is broken.
  private(set) var hasEnded = false

  private var firstScreenEvent: CInt = 0

  /// Connects to the server of the session.
  ///
  /// - Throws: `CommandError` if there is none, or not one whose screen can be turned.
  init() throws(CommandError) {
    XErrors.handle()
    guard let display = XPatience.limit({ XOpenDisplay(nil) }) else {
      throw CommandError(
        "cannot connect to the X server \(String(cString: XDisplayName(nil))); run this in its session, with its DISPLAY and "
          + "XAUTHORITY")
    }
    self.display = display
    root = XDefaultRootWindow(display)
    // Without this, libX11 ends the program after the server's end.
    XSetIOErrorExitHandler(
      display,
      { _, userdata in callback(XServer.self, userdata) { $0.hasEnded = true } },
      Unmanaged.passUnretained(self).toOpaque())
    try XPatience.limit { () throws(CommandError) in
      try checkExtensions()
      subscribe()
    }
  }

  deinit { if !hasEnded { XCloseDisplay(display) } }

  /// Has something to read when there are events.
  var descriptor: CInt { XConnectionNumber(display) }

  /// Takes all events that have come, also those that have come with answers.
  func takeNews() -> News {
    var news: News = []
    while !hasEnded, XPending(display) > 0 {
      var event = XEvent()
      XNextEvent(display, &event)
      if event.type == GenericEvent { news.insert(.devices) }
      if event.type == firstScreenEvent + RRScreenChangeNotify || event.type == firstScreenEvent + RRNotify {
        // libX11 keeps a copy of the screen's size.
        XRRUpdateConfiguration(&event)
        news.insert(.screen)
      }
    }
    return news
  }

  /// Runs a body while no other program is served.
  func alone<Result>(_ body: () -> Result) -> Result {
    XGrabServer(display)
    defer {
      XUngrabServer(display)
      XFlush(display)
    }
    return body()
  }

  private func checkExtensions() throws(CommandError) {
    var (code, firstEvent, firstError): (CInt, CInt, CInt) = (0, 0, 0)
    // Since version 23; before that, the names of the outputs say so.
    guard XQueryExtension(display, "XWAYLAND", &code, &firstEvent, &firstError) == 0 else {
      throw .xwayland
    }
    var (major, minor): (CInt, CInt) = (0, 0)
    guard XRRQueryExtension(display, &firstScreenEvent, &firstError) != 0,
      XRRQueryVersion(display, &major, &minor) != 0, (major, minor) >= (1, 3)
    else { throw .unavailable("this X server cannot turn its outputs: it has no RandR 1.3") }
    (major, minor) = (2, 2)
    guard XQueryExtension(display, "XInputExtension", &code, &firstEvent, &firstError) != 0,
      XIQueryVersion(display, &major, &minor) == Success, (major, minor) >= (2, 2)
    else { throw .unavailable("this X server knows no touchscreens: it has no XInput 2.2") }
  }

  private func subscribe() {
    XRRSelectInput(
      display, root,
      CInt(RRScreenChangeNotifyMask | RRCrtcChangeNotifyMask | RROutputChangeNotifyMask))
    var bits = [UInt8](repeating: 0, count: Int(XI_HierarchyChanged) / 8 + 1)
    bits[Int(XI_HierarchyChanged) / 8] |= 1 << UInt8(XI_HierarchyChanged % 8)
    bits.withUnsafeMutableBufferPointer { bits in
      var mask = XIEventMask(
        deviceid: XIAllDevices, mask_len: CInt(bits.count), mask: bits.baseAddress)
      XISelectEvents(display, root, &mask, 1)
    }
    XFlush(display)
  }
}

extension CommandError {
  /// The X server shows its windows on a Wayland compositor, and its outputs are only copies of that one's.
  static let xwayland = CommandError.unavailable(
    "this X server is a part of a Wayland session; run this with the session's WAYLAND_DISPLAY")
}
