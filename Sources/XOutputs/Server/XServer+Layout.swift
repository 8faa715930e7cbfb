// SPDX-License-Identifier: Apache-2.0

import CX11
import Following

extension XServer {
  /// Reads what is on the screen now; nil if the server has ended, or does not tell.
  func layout() -> ScreenLayout? {
    guard let resources = XRRGetScreenResourcesCurrent(display, root) else { return nil }
    defer { XRRFreeScreenResources(resources) }
    let controllers = UnsafeBufferPointer(
      start: resources.pointee.crtcs, count: min(Int(resources.pointee.ncrtc), Output.most)
    ).compactMap { controller($0, of: resources) }
    let connectors = UnsafeBufferPointer(
      start: resources.pointee.outputs, count: min(Int(resources.pointee.noutput), Output.most)
    ).compactMap { id in
      connector(id, of: resources, isLit: controllers.contains { $0.outputs.contains(id) })
    }
    guard !hasEnded, let size = size() else { return nil }
    return ScreenLayout(size: size, controllers: controllers, connectors: connectors)
  }

  private func size() -> PixelSize? {
    var (window, x, y): (UInt, CInt, CInt) = (0, 0, 0)
    var (width, height, border, depth): (CUnsignedInt, CUnsignedInt, CUnsignedInt, CUnsignedInt) = (
      0, 0, 0, 0
    )
    guard XGetGeometry(display, root, &window, &x, &y, &width, &height, &border, &depth) != 0 else {
      return nil
    }
    return PixelSize(width: Int32(clamping: width), height: Int32(clamping: height))
  }

  /// Nil if it shows nothing.
  private func controller(
    _ id: UInt, of resources: UnsafeMutablePointer<XRRScreenResources>
  ) -> Controller? {
    guard let info = XRRGetCrtcInfo(display, resources, id) else { return nil }
    defer { XRRFreeCrtcInfo(info) }
    guard info.pointee.mode != 0, info.pointee.noutput > 0 else { return nil }
    return Controller(
      id: id, mode: info.pointee.mode,
      outputs: Array(UnsafeBufferPointer(start: info.pointee.outputs, count: Int(info.pointee.noutput))),
      rotations: info.pointee.rotations,
      area: ScreenArea(
        x: info.pointee.x, y: info.pointee.y, width: Int32(clamping: info.pointee.width),
        height: Int32(clamping: info.pointee.height)),
      rotation: XRotation(bits: info.pointee.rotation))
  }

  private func connector(
    _ id: UInt, of resources: UnsafeMutablePointer<XRRScreenResources>, isLit: Bool
  ) -> Connector? {
    guard let info = XRRGetOutputInfo(display, resources, id) else { return nil }
    defer { XRRFreeOutputInfo(info) }
    guard isLit || info.pointee.connection != RR_Disconnected, let name = info.pointee.name else {
      return nil
    }
    return Connector(id: id, name: String(cString: name))
  }

  // MARK: Changes

  /// Changes what is on the screen; if one of its parts is refused, all is as before.
  ///
  /// No other program is served meanwhile, so that none sees a screen that fits its outputs only in part.
  ///
  /// - Parameters:
  ///   - layout: has the controllers of the present layout.
  ///   - present: the present layout.
  /// - Returns: whether it was carried out.
  func set(_ layout: ScreenLayout, in present: ScreenLayout) -> Bool {
    guard layout.controllers.allSatisfy({ $0.isPossible }), let size = possibleSize(for: layout.size),
      let resources = XRRGetScreenResourcesCurrent(display, root)
    else { return false }
    defer { XRRFreeScreenResources(resources) }
    var layout = layout
    layout.size = size
    if change(to: layout, of: resources) { return true }
    _ = change(to: present, of: resources)
    return false
  }

  /// An area that is not on the screen is refused, and so is a screen that does not have all areas.
  private func change(to layout: ScreenLayout, of resources: UnsafeMutablePointer<XRRScreenResources>) -> Bool
  {
    guard let present = self.layout() else { return false }
    let tooLarge = present.controllers.filter { !$0.area.fits(in: layout.size) }
    for controller in tooLarge { guard switchOff(controller, of: resources) else { return false } }
    guard resize(from: present.size, to: layout.size) else { return false }
    let unchanged = present.controllers.filter { !tooLarge.contains($0) }
    for controller in layout.controllers where !unchanged.contains(controller) {
      guard set(controller, of: resources) else { return false }
    }
    return true
  }

  /// The size of a screen that has an area; nil if the server has none.
  ///
  /// Most have none below 320x200.
  private func possibleSize(for area: PixelSize) -> PixelSize? {
    var (least, most) = (PixelSize(width: 0, height: 0), PixelSize(width: 0, height: 0))
    guard
      XRRGetScreenSizeRange(display, root, &least.width, &least.height, &most.width, &most.height) != 0,
      area.width <= most.width, area.height <= most.height
    else { return nil }
    return PixelSize(width: max(area.width, least.width), height: max(area.height, least.height))
  }

  /// A dot stays as large as it is.
  private func resize(from old: PixelSize, to new: PixelSize) -> Bool {
    guard old != new else { return true }
    let screen = XDefaultScreen(display)
    let (dots, millimetres) = (XDisplayHeight(display, screen), XDisplayHeightMM(display, screen))
    // 96 dots an inch, if the server does not know it.
    let length = dots > 0 && millimetres > 0 ? Double(millimetres) / Double(dots) : 25.4 / 96
    return XErrors.none(on: display) {
      XRRSetScreenSize(
        display, root, new.width, new.height, CInt(exactly: (Double(new.width) * length).rounded()) ?? 0,
        CInt(exactly: (Double(new.height) * length).rounded()) ?? 0)
    }
  }

  private func switchOff(
    _ controller: Controller, of resources: UnsafeMutablePointer<XRRScreenResources>
  ) -> Bool {
    XRRSetCrtcConfig(
      display, resources, controller.id, UInt(CurrentTime), 0, 0, 0, UInt16(RR_Rotate_0), nil, 0)
      == RRSetConfigSuccess
  }

  private func set(_ controller: Controller, of resources: UnsafeMutablePointer<XRRScreenResources>) -> Bool {
    var outputs = controller.outputs
    return XRRSetCrtcConfig(
      display, resources, controller.id, UInt(CurrentTime), controller.area.x, controller.area.y,
      controller.mode,
      controller.rotation.bits, &outputs, CInt(outputs.count)) == RRSetConfigSuccess
  }
}
