// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The values of the `org.orientationd1.Screen` properties, all of which announce their changes.
struct ScreenProperties: Equatable {
  var lock: RotationLock
  var orientation: InterfaceOrientation
  var transform: OutputTransform
  var supported: InterfaceOrientationMask
  var tabletMode: TabletMode

  /// The D-Bus names of the properties whose values differ from those of `earlier`.
  func changedNames(since earlier: ScreenProperties) -> [String] {
    var names: [String] = []
    if lock != earlier.lock { names.append("RotationLocked") }
    if orientation != earlier.orientation { names += ["InterfaceOrientation", "InterfaceOrientationName"] }
    if transform != earlier.transform { names.append("Transform") }
    if supported != earlier.supported { names.append("SupportedInterfaceOrientations") }
    if tabletMode != earlier.tabletMode { names.append("TabletMode") }
    return names
  }
}
