// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A view that is in front, or was and may come back: a view that it has presented or pushed is in front instead.
@MainActor
final class ShownView {
  /// Where the app has put the view: by its presentation, by hand, or because it stays where it is.
  struct Placement {
    var orientation: InterfaceOrientation
    /// Whether the view follows the next turn of the device.
    var followsNextTurn: Bool
    /// Counts the placements of the view, from 1.
    var number: Int
    /// How the device was held then; unknown until that is known.
    var device: DeviceOrientation
  }

  private(set) weak var view: (any InterfaceOrientationView)?
  /// How many presented views there were when it came to the front: it is behind those that are presented later.
  let level: Int
  private(set) var placement: Placement?
  private var placements = 0
  /// Among which orientations the view follows the device; empty if it does not.
  var followed: InterfaceOrientationMask = []
  /// Where the interface would be with this view in front, as far as the app can know that; unknown if the view was never seen.
  var orientation = InterfaceOrientation.unknown
  /// What the app holds for it; nil if nothing.
  var held: AppHolds.Granted?

  init(_ view: any InterfaceOrientationView, level: Int) {
    self.view = view
    self.level = level
  }

  /// Puts the view in an orientation.
  func place(in orientation: InterfaceOrientation, followsNextTurn: Bool, device: DeviceOrientation) {
    placements += 1
    placement = Placement(
      orientation: orientation, followsNextTurn: followsNextTurn, number: placements, device: device)
  }

  /// Ends its placement.
  func endPlacement() {
    placement = nil
    held?.endStart()
  }

  /// Notes how the device is held: a turn ends the placement of a view that follows, and moves it, also while it is behind others.
  func notice(_ state: ScreenState) {
    if let placement, placement.followsNextTurn {
      if placement.device == .unknown {
        self.placement?.device = state.device
      } else if InterfaceOrientation(uprightOn: state.device) != nil, placement.device != state.device {
        endPlacement()
      }
    }
    if placement == nil, let upright = state.upright, followed.intersection(state.supported).contains(upright)
    {
      orientation = upright
    }
  }
}

extension ScreenState {
  /// The orientation that is upright on the device; nil if the device does not say, or the person does not want it to count.
  var upright: InterfaceOrientation? {
    lock == .locked ? nil : InterfaceOrientation(uprightOn: device)
  }
}
