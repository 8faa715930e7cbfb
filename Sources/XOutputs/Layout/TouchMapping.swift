// SPDX-License-Identifier: Apache-2.0

import Following

/// To which output a touchscreen belongs.
///
/// The server does not know this: at first, a device's points are spread over the whole screen. So a device is the panel's, unless
/// someone has mapped it to exactly another output (`xinput map-to-output`). Its mapping then has to follow the screen, which
/// becomes larger or smaller when the panel turns.
struct TouchMapping {
  /// The panel's output.
  let panel: String
  /// The layout for which the devices were mapped last.
  let before: ScreenLayout
  /// The present layout.
  let now: ScreenLayout

  /// The matrix that a device is to have.
  ///
  /// - Parameter present: the matrix that it has.
  /// - Returns: nil if it has to stay, because the output shows nothing.
  func matrix(replacing present: TouchMatrix) -> TouchMatrix? {
    let name = owner(of: present)
    return now.controller(named: name).map { TouchMatrix(of: $0, on: now.size) }
  }

  private func owner(of present: TouchMatrix) -> String {
    let candidates = before.connectors.map(\.name).filter { name in
      guard let controller = before.controller(named: name) else { return false }
      // One that fills the screen alone is what devices are mapped to at first, too.
      return controller.area != ScreenArea(x: 0, y: 0, width: before.size.width, height: before.size.height)
        && TouchMatrix(of: controller, on: before.size).isNear(present)
    }
    // One that shows the same as the panel is as good as the panel.
    return candidates.isEmpty || candidates.contains(panel) ? panel : candidates[0]
  }
}
