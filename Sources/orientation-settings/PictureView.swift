// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita
import Orientation
import TabletPicture

/// A picture of the tablet, which turns until it has its pose.
@MainActor
final class PictureView {
  /// How the tablet is held, and what is on its screen.
  struct Pose {
    /// The direction that is up, in the device's axes; one without a length, or that is not finite, turns nothing.
    var up = SIMD3<Double>(0, 1, 0)
    /// How far what is on the screen is turned clockwise from portrait, in radians; nil if it is not known.
    var interfaceAngle: Double? = 0
    /// Whether it is known how the tablet is held.
    var isKnown = true
  }

  /// What it shows, as soon as it has turned.
  var pose = Pose() {
    didSet {
      if (pose.interfaceAngle, pose.isKnown) != (oldValue.interfaceAngle, oldValue.isKnown) { redraw() }
      turn(up: pose.up)
      hasNewPose()
    }
  }
  /// Called after the pose was set.
  var hasNewPose: () -> Void = {}
  /// Called when the picture was drawn: so somebody can see it.
  var wasDrawn: () -> Void = {}

  private let area: Widget
  private var tablet = TurningTablet(up: SIMD3(0, 1, 0))
  private var target = SIMD3<Double>(0, 1, 0)
  private var isTurning = false

  /// Draws into a widget.
  init(in area: Widget) {
    self.area = area
    ui_set_draw_function(
      area.pointer,
      { _, context, width, height, data in
        guard let context, let data else { return }
        let view = Unmanaged<PictureView>.fromOpaque(data).takeUnretainedValue()
        let canvas = Canvas(context: context)
        MainActor.assumeIsolated { view.draw(on: canvas, width: width, height: height) }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Draws it again.
  func redraw() { ui_queue_draw(area.pointer) }

  private func turn(up direction: SIMD3<Double>) {
    let length = direction.length
    guard length > 0.1, length < .infinity else { return }
    target = direction / length
    guard !isTurning, !tablet.isAtRest(at: target) else { return }
    isTurning = true
    var last: Int64?
    area.onEachFrame { [unowned self] time in
      tablet.turn(target, seconds: min(Double(time - (last ?? time)) / 1_000_000, 0.1))
      last = time
      redraw()
      isTurning = !tablet.isAtRest(at: target)
      return isTurning
    }
  }

  private func draw(on canvas: Canvas, width: CInt, height: CInt) {
    wasDrawn()
    var view = TabletView()
    view.attitude = tablet.attitude
    view.interfaceAngle = pose.interfaceAngle
    let camera = Camera(width: Double(width), height: Double(height), hasFloor: false)
    for surface in view.surfaces(by: camera) { canvas.fill(surface, opacity: pose.isKnown ? 1 : 0.35) }
  }
}

/// What cairo draws on.
private struct Canvas: @unchecked Sendable {
  let context: OpaquePointer

  func fill(_ surface: TabletSurface, opacity: Double) {
    for corner in surface.corners { cairo_line_to(context, corner.x, corner.y) }
    cairo_close_path(context)
    let (red, green, blue) = surface.part.colour
    cairo_set_source_rgba(context, red, green, blue, opacity)
    // With a line around it, no gap is seen beside the next one.
    cairo_fill_preserve(context)
    cairo_set_line_width(context, 1)
    cairo_stroke(context)
  }
}
