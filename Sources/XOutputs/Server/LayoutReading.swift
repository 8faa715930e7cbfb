// SPDX-License-Identifier: Apache-2.0

import CX11
import Following

extension XServer {
  /// Reads what is on the screen now; nil if the server has ended.
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
}
